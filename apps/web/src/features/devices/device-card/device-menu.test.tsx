import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { Device } from '@tongtu/contract';
import { useLocation } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import { deviceOf, mappingOf } from '../../../testing/device-fixtures.ts';
import { show } from '../../../testing/show.tsx';
import { DeviceCard } from './device-card.tsx';

afterEach(cleanup);

const patch = 'PATCH /api/user/routers/{id}/';

function Where() {
  const { pathname, search } = useLocation();
  return <p data-testid="where">{`${pathname}${search}`}</p>;
}

const channel = { enabled: true, events: ['device_offline'] };

function open(given: Partial<Device>, channels: unknown[]) {
  const device = deviceOf(given);
  const calls = show(
    <>
      <DeviceCard device={device} mappings={device.mappings} highlightedDomain="" onOpen={() => undefined} />
      <Where />
    </>,
    {
      'GET /api/user/alerts/': () => ({ offline_after_minutes: 5, channels }),
      [patch]: () => device,
    },
  );
  fireEvent.click(screen.getByRole('button', { name: '家里的群晖 更多操作' }));
  return () => calls.filter(({ key }) => key === patch).map(({ input }) => input);
}

test("a device's alerts are switched off in its menu", async () => {
  const patches = open({}, [channel]);
  expect(screen.queryByLabelText('离线提醒已关闭')).toBeNull();
  fireEvent.click(await screen.findByText('关闭离线提醒'));
  await waitFor(() => expect(patches()).toEqual([{ params: { id: 7 }, body: { alerts_enabled: false } }]));
  await screen.findByText('“家里的群晖”离线时不再提醒您');
});

test.each([
  ['', [channel]],
  [', also without an alert channel', []],
])('a device whose alerts are off says so, and they are switched on again%s', async (_while, channels) => {
  const patches = open({ alerts_enabled: false }, channels);
  screen.getByLabelText('离线提醒已关闭');
  fireEvent.click(await screen.findByText('开启离线提醒'));
  await waitFor(() => expect(patches()).toEqual([{ params: { id: 7 }, body: { alerts_enabled: true } }]));
});

test.each([
  ['no alert channel', []],
  ['only disabled alert channels', [{ ...channel, enabled: false }]],
  ['only alert channels for other events', [{ ...channel, events: ['new_login'] }]],
])('an account with %s is led to where it adds one', async (_what, channels) => {
  const patches = open({}, channels);
  fireEvent.click(await screen.findByText('设置离线提醒'));
  await waitFor(() => expect(screen.getByTestId('where').textContent).toBe('/user/info?section=alerts'));
  expect(patches()).toEqual([]);
});

test('a disabled device is enabled on its card', async () => {
  const device = deviceOf({ state: 'disabled', online: false });
  const calls = show(<DeviceCard device={device} mappings={[]} highlightedDomain="" onOpen={() => undefined} />, {
    [patch]: () => device,
  });
  fireEvent.click(screen.getByRole('button', { name: '启用 家里的群晖' }));
  await screen.findByText('已启用，正在等待设备重新连接');
  expect(calls.filter(({ key }) => key === patch).map(({ input }) => input)).toEqual([
    { params: { id: 7 }, body: { enabled: true } },
  ]);
});

test('a device that is not disabled has no such button', () => {
  show(<DeviceCard device={deviceOf()} mappings={[]} highlightedDomain="" onOpen={() => undefined} />, {});
  expect(screen.queryByRole('button', { name: '启用 家里的群晖' })).toBeNull();
});

const ended = { id: 1, name: '标准版', is_free: false, ends_at: '2026-11-01T04:00:00.000Z', app_kinds: [] };

test.each([
  ['without a plan', { state: 'plan_expired', plan: null }, '没有套餐', '选择套餐'],
  ['whose plan is over', { state: 'plan_expired', plan: { ...ended, is_expired: true } }, '套餐过期', '已到期'],
  ['with a plan', { state: 'online', plan: { ...ended, is_expired: false } }, '在线', '2026-11-01 到期'],
] as const)('a device %s says so on its card, which leads to the shop', async (_which, given, state, text) => {
  const device = deviceOf(given);
  show(
    <>
      <DeviceCard device={device} mappings={[]} highlightedDomain="" onOpen={() => undefined} />
      <Where />
    </>,
    { 'GET /api/site/config/': () => ({ billing: 'on' }) },
  );
  screen.getByText(state);
  const fact = await screen.findByText('套餐');
  expect(fact.nextSibling?.textContent).toContain(text);
  const button = screen.queryByRole('button', { name: '选择套餐 家里的群晖' });
  expect(button !== null).toBe(given.state === 'plan_expired');
  fireEvent.click(button ?? screen.getByRole('link', { name: '标准版' }));
  expect(screen.getByTestId('where').textContent).toBe('/plans?router=7');
});

test('the mappings beyond the limit of the plan are named on the card and in their rows', () => {
  const mappings = [mappingOf({ id: 1 }), mappingOf({ id: 2, over_plan_limit: true })];
  const device = deviceOf({ mapping_limit: 1, mappings });
  show(<DeviceCard device={device} mappings={mappings} highlightedDomain="" onOpen={() => undefined} />, {});
  screen.getByText('套餐允许 1 条域名映射，较新的 1 条已暂停');
  expect(screen.getAllByText('超出套餐')).toHaveLength(1);
});

test('where billing is off a device has no plan, neither on its card nor in its menu', async () => {
  open({}, []);
  await screen.findByText('置顶');
  expect(screen.queryByText('套餐')).toBeNull();
});

test('a device that staff have suspended says so, and can be enabled neither on its card nor in its menu', async () => {
  open({ state: 'disabled', online: false, suspended: true }, []);
  screen.getByText('已被管理员停用');
  screen.getByText('设备和它的域名映射都无法使用，请联系管理员。');
  await screen.findByText('置顶');
  expect(screen.queryByText('启用')).toBeNull();
  expect(screen.queryByText('停用')).toBeNull();
});
