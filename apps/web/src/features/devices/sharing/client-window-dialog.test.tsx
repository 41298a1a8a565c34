import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { ClientWindow } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../../../api/index.ts';
import { mappingOf } from '../../../testing/device-fixtures.ts';
import { show } from '../../../testing/show.tsx';
import { ClientWindowDialog } from './client-window-dialog.tsx';

afterEach(cleanup);

const state = 'GET /api/user/records/{id}/mark_client/';
const start = 'POST /api/user/records/{id}/mark_client/';
const cancel = 'DELETE /api/user/records/{id}/mark_client/';

function windowOf(given: Partial<ClientWindow> = {}): ClientWindow {
  return { state: 'none', open_until: null, ip: '', expires_at: null, left_today: 20, ...given };
}

const openFor = (ms: number) => windowOf({ state: 'open', open_until: new Date(Date.now() + ms).toISOString() });

function open(answers: Parameters<typeof show>[1]) {
  return show(<ClientWindowDialog mapping={mappingOf()} onClose={() => undefined} />, answers);
}

test('the window opens with a count-down, and shows the client that came without being asked', async () => {
  let now = windowOf();
  const calls = open({ [state]: () => now, [start]: () => (now = openFor(120_000)) });
  await screen.findByText('24 小时内还可以放行 20 个新的网络');
  expect(calls.filter(({ key }) => key === start)).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: '开始' }));
  await screen.findByText('正在等待程序连接…');
  const countDown = screen.getByText(/^(2:00|1:\d\d)$/);
  const status = screen.getByRole('status');
  expect(status.textContent).toContain('正在等待程序连接…');
  expect(status.contains(countDown)).toBe(false);
  now = windowOf({ state: 'claimed', ip: '203.0.113.7', expires_at: new Date().toISOString(), left_today: 19 });
  await screen.findByText('已放行 203.0.113.7');
  expect(status.textContent).toContain('已放行 203.0.113.7');
  expect(screen.getByRole('link', { name: '查看验证记录' }).getAttribute('href')).toBe('/record?mapping=3');
  screen.getByRole('button', { name: '再放行一个' });
});

test('waiting can be stopped', async () => {
  let now = openFor(60_000);
  const calls = open({ [state]: () => now, [cancel]: () => (now = windowOf()) });
  fireEvent.click(await screen.findByRole('button', { name: '停止等待' }));
  await screen.findByRole('button', { name: '开始' });
  expect(calls.filter(({ key }) => key === cancel).map(({ input }) => input)).toEqual([{ params: { id: 3 } }]);
});

test('a window in which nobody came says so and can be opened again', async () => {
  open({ [state]: () => windowOf({ state: 'expired' }) });
  await screen.findByText('时间到了，没有程序连接');
  screen.getByRole('button', { name: '重新开始' });
});

test.each([
  [600_000, '2:00'],
  [-600_000, '0:00'],
])('a clock that differs by %i ms shows neither more nor less than there can be', async (ms, text) => {
  open({ [state]: () => openFor(ms) });
  await screen.findByText(text);
});

test('when no more networks may be let in today, none can be', async () => {
  open({ [state]: () => windowOf({ left_today: 0 }) });
  await screen.findByText('24 小时内可以放行的网络已用完，请稍后再试');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '开始' }).disabled).toBe(true);
});

test('what the server refuses is said', async () => {
  const more = { status: 409, detail: '', fields: {}, requestId: '', retryAfterSeconds: undefined };
  const refusal = new ApiError({ type: 'problem', code: 'gate.window-needless', ...more });
  open({ [state]: () => windowOf(), [start]: () => Promise.reject(refusal) });
  fireEvent.click(await screen.findByRole('button', { name: '开始' }));
  await screen.findByText('这条映射不需要验证，程序可以直接访问');
});

test('a state that cannot be loaded is reported, and loaded again', async () => {
  let isBroken = true;
  open({ [state]: () => (isBroken ? Promise.reject(new Error('broken')) : windowOf()) });
  await screen.findByText('放行状态加载失败');
  isBroken = false;
  fireEvent.click(screen.getByText('重试'));
  await waitFor(() => screen.getByRole('button', { name: '开始' }));
});
