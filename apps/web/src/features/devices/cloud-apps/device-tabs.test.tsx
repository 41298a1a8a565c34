import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { CloudApp, Device, Membership } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { appOf } from '../../../testing/app-fixtures.ts';
import { deviceOf, mappingOf } from '../../../testing/device-fixtures.ts';
import { show } from '../../../testing/show.tsx';
import { setUpTimes } from '../../../text/time.ts';
import { DevicesPage } from '../devices-page.tsx';

setUpTimes();
afterEach(cleanup);

const nas = deviceOf({ mappings: [mappingOf()] });
const shared = appOf({ id: 9, is_own: false, router: 99, name: '朋友的路由器', kind: 'telnet', owner: 'zhao' });

type Given = { devices?: Device[]; memberships?: Membership[]; at?: string };

function open(apps: CloudApp[], { devices = [nas], memberships = [], at = '/devices' }: Given = {}) {
  return show(
    <DevicesPage />,
    {
      'GET /api/user/routers/': () => ({ count: devices.length, next: null, previous: null, results: devices }),
      'GET /api/user/shared_with_me/': () => memberships,
      'GET /api/user/servers/': () => [],
      'GET /api/site/config/': () => ({ base_domain: 'example.com', console_url: 'https://example.com' }),
      'GET /api/user/cloud_apps/': () => apps,
      'PATCH /api/user/cloud_apps/{id}/': () => ({}),
      'DELETE /api/user/cloud_apps/{id}/': () => ({ ok: true }),
      'GET /api/user/cloud_apps/{id}/members/': () => [],
      'DELETE /api/user/cloud_apps/{id}/membership/': () => ({ ok: true }),
      'GET /api/user/cloud_app_sessions/': () => ({ count: 0, next: null, previous: null, results: [] }),
    },
    { at },
  );
}

const tab = (name: RegExp) => screen.findByRole('tab', { name });
const toApps = async () => fireEvent.click(await tab(/^远程应用/));
const row = (name: string) => screen.findByRole('listitem', { name });

async function choose(app: string, item: string) {
  fireEvent.click(within(await row(app)).getByRole('button', { name: `${app} 更多操作` }));
  fireEvent.click(screen.getByRole('menuitem', { name: item }));
}

/** Answers the question in front. */
function answer(word: string) {
  const dialog = screen.getAllByRole('dialog').at(-1) ?? document.body;
  fireEvent.click(within(dialog).getByRole('button', { name: word }));
}

test('a device shows its mappings first, and the number of its apps', async () => {
  open([appOf(), appOf({ id: 6, name: '书房', kind: 'telnet' }), appOf({ id: 7, router: 8 }), shared]);
  expect((await tab(/^域名映射/)).getAttribute('aria-selected')).toBe('true');
  expect((await tab(/^远程应用/)).textContent).toBe('远程应用2');
  screen.getByText('http://192.168.1.10:5000');
});

test('an app of a kind that the plan of the device lacks says so', async () => {
  const ends = { ends_at: '2026-12-01T00:00:00.000Z', is_expired: false };
  const plan = { id: 1, name: '体验版', is_free: true, ...ends, app_kinds: ['ssh'] };
  open([appOf({ kind: 'telnet' }), appOf({ id: 6, kind: 'ssh' })], { devices: [deviceOf({ ...nas, plan })] });
  await toApps();
  expect(await screen.findAllByText('套餐不包含')).toHaveLength(1);
});

test('an app shows its kind, its address, who may open it, and opens in another tab', async () => {
  open([appOf({ member_count: 2, needs_second_factor: true }), appOf({ id: 6, name: '书房', host: 'fd00::1' })]);
  await toApps();
  const first = within(await row('群晖终端'));
  first.getByText('192.168.1.10:22');
  first.getByText('自己和 2 位成员');
  first.getByText('打开前验证第二步');
  const link = first.getByRole<HTMLAnchorElement>('link', { name: '打开 群晖终端（新标签页）' });
  expect([link.getAttribute('href'), link.target, link.rel]).toEqual(['#/apps/5', '_blank', 'noopener']);
  const second = within(await row('书房'));
  second.getByText('[fd00::1]:22');
  second.getByText('仅自己');
});

test('a search shows the tab with the app that it finds, and that app alone', async () => {
  open([appOf(), appOf({ id: 6, name: '客厅', kind: 'telnet' }), appOf({ id: 7, name: '影音', kind: 'smb' })], {
    at: '/devices?q=客厅',
  });
  expect((await tab(/^远程应用/)).getAttribute('aria-selected')).toBe('true');
  await row('客厅');
  expect(screen.queryByRole('listitem', { name: '群晖终端' })).toBeNull();
  fireEvent.click(await tab(/^文件管理/));
  await row('影音');
});

test('a device without apps says what they are good for, and adds one', async () => {
  open([]);
  await toApps();
  await screen.findByText(/还没有远程应用/);
  fireEvent.click(screen.getByRole('button', { name: '添加远程应用' }));
  await screen.findByText('添加远程应用 · 家里的群晖');
});

test('files have a tab of their own', async () => {
  open([appOf({ kind: 'sftp', name: '照片' })]);
  fireEvent.click(await tab(/^文件管理/));
  await row('照片');
  screen.getByRole('button', { name: '添加文件管理' });
});

test('tabs are reached by arrows and chosen by Enter', async () => {
  open([appOf()]);
  const first = await tab(/^域名映射/);
  first.focus();
  fireEvent.keyDown(first, { key: 'ArrowRight' });
  const second = await tab(/^远程应用/);
  expect(document.activeElement).toBe(second);
  expect(second.getAttribute('aria-selected')).toBe('false');
  fireEvent.click(second);
  await row('群晖终端');
  expect(screen.getByRole('tabpanel', { name: /^远程应用/ })).toBeDefined();
});

test('disabling asks first, because it ends sessions; enabling does not', async () => {
  const calls = open([appOf(), appOf({ id: 6, name: '书房', enabled: false })]);
  const patches = () => calls.filter(({ key }) => key.startsWith('PATCH')).map(({ input }) => input);
  await toApps();
  await choose('书房', '启用');
  await screen.findByText('“书房”已启用');
  await choose('群晖终端', '停用');
  screen.getByText(/会话会立即结束/);
  expect(patches()).toHaveLength(1);
  answer('停用');
  await waitFor(() =>
    expect(patches()).toEqual([
      { params: { id: 6 }, query: { format: 'json' }, body: { enabled: true } },
      { params: { id: 5 }, query: { format: 'json' }, body: { enabled: false } },
    ]),
  );
});

test('a disabled app cannot be opened and says so', async () => {
  open([appOf({ enabled: false })]);
  await toApps();
  within(await row('群晖终端')).getByText('已停用');
  expect(document.querySelector('[href="#/apps/5"]')).toBeNull();
});

test('deleting asks first', async () => {
  const calls = open([appOf()]);
  await toApps();
  await choose('群晖终端', '删除');
  expect(calls.some(({ key }) => key.startsWith('DELETE'))).toBe(false);
  answer('删除');
  await screen.findByText('“群晖终端”已删除');
  expect(calls.find(({ key }) => key.startsWith('DELETE'))?.input).toEqual({
    params: { id: 5 },
    query: { format: 'json' },
  });
});

test.each([
  ['编辑', '编辑 群晖终端'],
  ['成员', '成员 · 群晖终端'],
])('%s opens its dialog', async (item, title) => {
  open([appOf()]);
  await toApps();
  await choose('群晖终端', item);
  await screen.findByText(title);
});

test('the sessions are behind a button below the apps', async () => {
  open([appOf()]);
  await toApps();
  await row('群晖终端');
  fireEvent.click(screen.getByRole('button', { name: '远程应用的会话' }));
  await screen.findByText('还没有会话');
});

test('apps that others share are listed with their owner, without what only the owner may do', async () => {
  open([shared]);
  const found = within(await row('朋友的路由器'));
  found.getByText('由 zhao 共享');
  found.getByRole('link', { name: '打开 朋友的路由器（新标签页）' });
  expect(found.queryByRole('button', { name: /更多操作/ })).toBeNull();
});

test('a member leaves an app after a question that says what it means', async () => {
  const calls = open([shared]);
  fireEvent.click(await screen.findByRole('button', { name: '退出共享 朋友的路由器' }));
  screen.getByText(/您正在进行的会话立即结束/);
  answer('退出共享');
  await screen.findByText('已退出“朋友的路由器”的共享');
  const leave = { key: 'DELETE /api/user/cloud_apps/{id}/membership/', input: { params: { id: 9 } } };
  expect(calls).toContainEqual(leave);
});

test('somebody without devices, with whom only an app is shared, sees the launcher with it', async () => {
  open([shared, appOf({ id: 10, is_own: false, enabled: false, name: '停用的' })], { devices: [] });
  const link = (await screen.findByText('朋友的路由器')).closest('a');
  expect(link?.getAttribute('href')).toBe('#/apps/9');
  expect(link?.textContent).toContain('zhao');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('启动台');
  expect(screen.queryByText('停用的')).toBeNull();
  expect(screen.queryByRole('button', { name: /^置顶/ })).toBeNull();
});

test('own apps are tiles in the group of their device', async () => {
  open([appOf()], { at: '/devices?view=launcher' });
  await screen.findByText('群晖终端');
  const group = within(screen.getByRole('region', { name: '家里的群晖' }));
  expect(group.getAllByRole('link').map((link) => link.querySelector('bdi')?.textContent)).toEqual(['nas', '群晖终端']);
});
