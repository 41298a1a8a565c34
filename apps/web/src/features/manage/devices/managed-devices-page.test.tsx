import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import type { ManagedDevice } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { pageOf, showToStaff } from '../testing/manage-fixtures.tsx';
import { ManagedDevicesPage } from './managed-devices-page.tsx';

afterEach(cleanup);

const list = 'GET /api/manage/devices/';
const suspend = 'POST /api/manage/devices/{id}/suspended/';
const resume = 'DELETE /api/manage/devices/{id}/suspended/';

function deviceOf(given: Partial<ManagedDevice> = {}): ManagedDevice {
  return {
    ...{ id: 7, uid: '3f9a1c22b07e', name: 'NAS', user: { id: 3, username: '妈妈' }, state: 'online' },
    ...{ state_since: null, server: '上海', public_ip: '203.0.113.7', agent_version: '0.1.0', platform: 'linux-x64' },
    ...{ mapping_count: 3, plan: null, suspended_at: null, created_at: '2026-11-01T00:00:00.000Z' },
    ...given,
  };
}

const suspended = deviceOf({ id: 8, name: '路由器', state: 'disabled', suspended_at: '2026-11-02T00:00:00.000Z' });

function open(answers: Parameters<typeof showToStaff>[1] = {}, billing: 'on' | 'off' = 'on') {
  return showToStaff(
    <ManagedDevicesPage />,
    { [list]: () => pageOf([deviceOf(), suspended]), ...answers },
    { billing },
  );
}

const row = async (name: string) => within(await screen.findByRole('listitem', { name }));

test('a device shows its owner, state and plan', async () => {
  open();
  const shown = await row('NAS');
  for (const text of ['在线', '用户 妈妈', '3f9a1c22b07e', '3 条域名映射', '客户端 0.1.0']) shown.getByText(text);
  await shown.findByText('没有套餐');
  (await row('路由器')).getByText('已被管理员停用');
});

test('a device that never had a plan says so once, and not that one has expired', async () => {
  open({ [list]: () => pageOf([deviceOf({ state: 'plan_expired', plan: null })]) });
  const shown = await row('NAS');
  expect(shown.getAllByText('没有套餐')).toHaveLength(1);
  expect(shown.queryByText('套餐过期')).toBeNull();
});

test('without billing there is no word of plans', async () => {
  open({}, 'off');
  await row('NAS');
  expect(screen.queryByText('没有套餐')).toBeNull();
});

test('a device is suspended after a question', async () => {
  const calls = open({ [suspend]: () => suspended });
  fireEvent.click((await row('NAS')).getByRole('button', { name: '停用“NAS”' }));
  const question = within(await screen.findByRole('dialog'));
  question.getByText('停用 妈妈 的“NAS”？');
  expect(calls.some(({ key }) => key === suspend)).toBe(false);
  fireEvent.click(question.getByRole('button', { name: '停用' }));
  await screen.findByText('“NAS”已停用');
  expect(calls.find(({ key }) => key === suspend)?.input).toEqual({ params: { id: 7 } });
});

test('a suspended device works again', async () => {
  const calls = open({ [resume]: () => deviceOf({ id: 8 }) });
  fireEvent.click((await row('路由器')).getByRole('button', { name: '取消停用“路由器”' }));
  await screen.findByText('“路由器”可以使用了，会在半分钟内重新上线');
  expect(calls.find(({ key }) => key === resume)?.input).toEqual({ params: { id: 8 } });
});

test('only suspended devices are listed', async () => {
  const calls = open();
  await row('NAS');
  fireEvent.click(screen.getByText('已被停用'));
  await expect.poll(() => calls.at(-1)?.input).toMatchObject({ query: { suspended: 'true' } });
});
