import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Device, Membership } from '@tongtu/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError, useLiveUpdates } from '../../../api/index.ts';
import { deviceOf } from '../../../testing/device-fixtures.ts';
import { FakeEventSource } from '../../../testing/fake-event-source.ts';
import { show } from '../../../testing/show.tsx';
import { setUpTimes } from '../../../text/time.ts';
import { DevicesPage } from '../devices-page.tsx';

setUpTimes();
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const list = 'GET /api/user/shared_with_me/';
const leave = 'DELETE /api/user/shared_with_me/{id}/';
const title = '他人共享给我的';

function membershipOf(id: number, given: Partial<Membership> = {}): Membership {
  return {
    id,
    domain: `page-${id}.localhost`,
    url: `http://page-${id}.localhost:8080`,
    owner: 'zhao',
    pinned: false,
    state: 'online',
    since: null,
    offline_reason: null,
    opens_at: null,
    closes_at: null,
    hours: null,
    created_at: new Date().toISOString(),
    ...given,
  };
}

/** The page within the console, which follows the live updates. */
function LivePage() {
  useLiveUpdates();
  return <DevicesPage />;
}

function open(answers: Parameters<typeof show>[1], devices: Device[] = [deviceOf()]) {
  vi.stubGlobal('EventSource', FakeEventSource);
  const page = () => ({ count: devices.length, next: null, previous: null, results: devices });
  return show(<LivePage />, { 'GET /api/user/routers/': page, ...answers }, { at: '/devices?view=manage' });
}

const row = (domain: string) => screen.findByRole('listitem', { name: domain });
const answer = (word: string) =>
  fireEvent.click(within(screen.getAllByRole('dialog').at(-1) ?? document.body).getByRole('button', { name: word }));

test.each([
  ['below the devices', [deviceOf()], '家里的群晖'],
  ['where there is no device', [], '还没有设备'],
])('what others share is shown %s, with who shares it', async (_where, devices, words) => {
  open({ [list]: () => [membershipOf(1)] }, devices);
  const shown = within(await row('page-1.localhost'));
  expect(screen.getByRole('region', { name: title })).toBeDefined();
  expect(screen.getAllByText(words).length).toBeGreaterThan(0);
  const link = shown.getByRole('link', { name: 'http://page-1.localhost:8080' });
  expect([link.getAttribute('href'), link.getAttribute('target'), link.getAttribute('rel')]).toEqual([
    'http://page-1.localhost:8080',
    '_blank',
    'noopener noreferrer',
  ]);
  expect(shown.getByText('zhao').tagName).toBe('BDI');
  expect(shown.getByText('zhao').parentElement?.textContent).toBe('由 zhao 共享');
  expect(shown.getByText('在线')).toBeDefined();
  expect(shown.getByLabelText('复制访问地址')).toBeDefined();
});

test('where nothing is shared nothing is said of it', async () => {
  const calls = open({ [list]: () => [] });
  await waitFor(() => expect(calls.map(({ key }) => key)).toContain(list));
  await screen.findByText('家里的群晖');
  expect(screen.queryByText(title)).toBeNull();
});

test.each<[Partial<Membership>, string[]]>([
  [
    { state: 'offline', since: new Date(Date.now() - 3_600_000).toISOString(), offline_reason: 'no_heartbeat' },
    ['离线', '1 小时前离线', '设备一段时间没有回应，可能断电、断网或休眠'],
  ],
  [{ state: 'never_connected' }, ['从未连接']],
  [{ state: 'disabled' }, ['设备已停用', '设备所有者停用了这台设备，重新启用后才能访问。']],
  [{ state: 'mapping_disabled' }, ['已停用', '设备所有者停用了这条域名映射，重新启用后才能访问。']],
  [{ state: 'closed' }, ['禁止访问', '设备所有者把这个地址设为禁止访问。']],
  [{ state: 'not_open_yet' }, ['尚未开放', '设备所有者设定了开放时间，请到时再来。']],
  [
    { state: 'outside_hours', hours: { days: [6, 7], from: '08:00', to: '18:00' } },
    ['不在开放时段', '开放时段是周六至周日 08:00–18:00（北京时间），请在时段内再来。'],
  ],
])('what does not open now says why: %j', async (given, words) => {
  open({ [list]: () => [membershipOf(1, given)] });
  const shown = within(await row('page-1.localhost'));
  for (const word of words) {
    expect(
      shown.getByText((_text, element) => element?.tagName === 'SPAN' && element.textContent === word),
    ).toBeDefined();
  }
});

test('what is not shared any more goes away while the page is open', async () => {
  let shared = [membershipOf(1)];
  const calls = open({ [list]: () => shared });
  await row('page-1.localhost');
  shared = [];
  FakeEventSource.last?.send('shared_with_me');
  // At once: the list is also polled.
  expect(calls.filter(({ key }) => key === list)).toHaveLength(2);
  await waitFor(() => expect(screen.queryByText(title)).toBeNull());
});

test('leaving says what it does, asks first, and takes the address off the list', async () => {
  const shared = [membershipOf(1), membershipOf(2)];
  const calls = open({
    [list]: () => [...shared],
    [leave]: () => {
      shared.shift();
      return { ok: true };
    },
  });
  await row('page-1.localhost');
  fireEvent.click(screen.getByRole('button', { name: '退出共享 page-1.localhost' }));
  await screen.findByText(/您不再是它的成员.*需请“zhao”重新添加您/);
  expect(calls.filter(({ key }) => key === leave)).toEqual([]);

  answer('退出共享');

  await waitFor(() => expect(screen.queryByRole('listitem', { name: 'page-1.localhost' })).toBeNull());
  await row('page-2.localhost');
  expect(calls.filter(({ key }) => key === leave).map(({ input }) => input)).toEqual([{ params: { id: 1 } }]);
});

test('leaving what its owner has ended meanwhile is leaving it', async () => {
  const shared = [membershipOf(1)];
  const more = { status: 404, detail: '', fields: {}, requestId: '', retryAfterSeconds: undefined };
  open({
    [list]: () => [...shared],
    [leave]: () => {
      shared.pop();
      return Promise.reject(new ApiError({ type: 'problem', code: 'member.not-found', ...more }));
    },
  });
  await row('page-1.localhost');
  fireEvent.click(screen.getByRole('button', { name: '退出共享 page-1.localhost' }));
  await screen.findByText(/您不再是它的成员/);
  answer('退出共享');
  await screen.findByText('已退出 page-1.localhost 的共享');
  await waitFor(() => expect(screen.queryByText(title)).toBeNull());
});

test('a list that cannot be loaded shows an error, and can be loaded again', async () => {
  let isBroken = true;
  open({ [list]: () => (isBroken ? Promise.reject(new Error('broken')) : [membershipOf(1)]) });
  await screen.findByText('他人共享给我的地址加载失败');
  isBroken = false;
  fireEvent.click(screen.getByText('重试'));
  await row('page-1.localhost');
});

test('of many the first twenty are shown, and the others when wanted', async () => {
  open({ [list]: () => Array.from({ length: 25 }, (_, n) => membershipOf(n + 1)) });
  await row('page-20.localhost');
  expect(screen.queryByRole('listitem', { name: 'page-21.localhost' })).toBeNull();
  fireEvent.click(screen.getByText('显示更多（还有 5 个）'));
  await row('page-25.localhost');
  expect(screen.queryByText(/^显示更多/)).toBeNull();
});
