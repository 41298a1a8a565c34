import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { CloudApp, CloudAppWake, HostState } from '@tongtu/contract';
import { Route, Routes } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../api/index.ts';
import { noteWakeIntent } from '../../../routing/wake-intent.ts';
import { appOf } from '../../../testing/app-fixtures.ts';
import { show } from '../../../testing/show.tsx';
import { ThemeModeProvider } from '../../../ui/theme/theme-mode.tsx';
import { WakePage } from './wake-page.tsx';

const mac = 'd8:bb:c1:0a:2f:e4';
const wakeKey = 'POST /api/user/cloud_apps/{id}/wake/';
const stateKey = 'GET /api/user/cloud_apps/{id}/state/';
const off: HostState = { state: 'off', is_ready: false, woken_at: null };
const woken: CloudAppWake = {
  ...{ id: 1, at: '2026-11-24T08:00:00.000Z', account: 'li', is_own: true, ip: '198.51.100.7', result: 'sent' },
};

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.useRealTimers();
});

const options = { ...appOf().options, mac };
const pc = appOf({ kind: 'wol', name: '书房的电脑', options });

function open(app: CloudApp, host: { state: HostState }, answers: Parameters<typeof show>[1] = {}) {
  return show(
    <ThemeModeProvider>
      <Routes>
        <Route path="/wake/:id" element={<WakePage />} />
        <Route path="/apps/:id" element={<p>打开的应用</p>} />
      </Routes>
    </ThemeModeProvider>,
    {
      'GET /api/user/cloud_apps/': () => [app],
      'GET /api/user/cloud_apps/{id}/wakes/': () => [],
      [stateKey]: () => host.state,
      [wakeKey]: () => woken,
      ...answers,
    },
    { at: `/wake/${app.id}` },
  );
}

const wakes = (calls: ReturnType<typeof open>) => calls.filter(({ key }) => key === wakeKey);
const status = async (words: RegExp) =>
  await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(words));

test('a host that is off is woken by a click, and the page says when it is on', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const host = { state: off };
  const calls = open(pc, host);
  await status(/^未开机$/);
  expect(document.title).toBe('通途 - 唤醒 书房的电脑');
  fireEvent.click(screen.getByRole('button', { name: '唤醒' }));
  await status(/^正在唤醒…（\d+ 秒）$/);
  expect(wakes(calls)).toEqual([{ key: wakeKey, input: { params: { id: 5 } } }]);
  host.state = { ...off, state: 'on' };
  await vi.advanceTimersByTimeAsync(2_000);
  await status(/^已开机$/);
});

test('after three minutes it says what to check', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  open(pc, { state: off });
  await status(/^未开机$/);
  fireEvent.click(screen.getByRole('button', { name: '唤醒' }));
  await status(/正在唤醒/);
  expect(screen.queryByText(/BIOS/)).toBeNull();
  await vi.advanceTimersByTimeAsync(181_000);
  await screen.findByText(/BIOS/);
  screen.getByText(/快速启动/);
  screen.getByRole('button', { name: '再唤醒一次' });
});

test('an app is opened by itself once its port answers, not when the host only refuses', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const host = { state: off };
  open(appOf({ options }), host);
  await status(/^未开机$/);
  fireEvent.click(screen.getByRole('button', { name: '唤醒并打开' }));
  await status(/正在唤醒/);
  host.state = { ...off, state: 'on' };
  await vi.advanceTimersByTimeAsync(2_000);
  await status(/^已开机，正在等它的服务启动…$/);
  host.state = { ...off, state: 'on', is_ready: true };
  await vi.advanceTimersByTimeAsync(2_000);
  await screen.findByText('打开的应用');
});

test('a page that is only looked at wakes nothing and opens nothing', async () => {
  const calls = open(appOf({ options }), { state: { ...off, state: 'on', is_ready: true } });
  await status(/^已开机$/);
  screen.getByRole('button', { name: '打开' });
  expect(screen.queryByText('打开的应用')).toBeNull();
  expect(wakes(calls)).toEqual([]);
});

test('a page that 唤醒并打开 has opened wakes at once, and only the first of its kind', async () => {
  noteWakeIntent(5);
  const first = open(appOf({ options }), { state: off });
  await status(/正在唤醒/);
  expect(wakes(first)).toHaveLength(1);
  cleanup();
  const second = open(appOf({ options }), { state: off });
  await status(/^未开机$/);
  expect(wakes(second)).toEqual([]);
});

test.each([
  ['cloud-app.device-offline', '设备不在线，请检查它是否开机、能否上网，客户端是否在运行'],
  ['cloud-app.agent-outdated', '设备上的客户端版本过旧，请先升级'],
])('a device that cannot (%s) is named as the reason', async (code, text) => {
  const refuse = () => {
    const problem = { type: 'problem', status: 409, code, detail: '', fields: {}, requestId: '' } as const;
    throw new ApiError({ ...problem, retryAfterSeconds: undefined });
  };
  open(pc, { state: off }, { [stateKey]: refuse, [wakeKey]: refuse });
  await status(/^不知道是否开机$/);
  fireEvent.click(screen.getByRole('button', { name: '唤醒' }));
  await screen.findByText('没能唤醒');
  expect(screen.getAllByText(text)).toHaveLength(2);
});

test('the owner adds and deletes times; a member only sees them', async () => {
  const patches: unknown[] = [];
  const times = [{ days: [6, 7], at: '09:00' }];
  const patchKey = 'PATCH /api/user/cloud_apps/{id}/';
  open(
    { ...pc, wake_times: times },
    { state: off },
    {
      [patchKey]: (input) => {
        patches.push((input as { body: unknown }).body);
        return pc;
      },
    },
  );
  await screen.findByText('周末');
  fireEvent.click(screen.getByRole('button', { name: '添加' }));
  const dialog = await screen.findByRole('dialog', { name: '添加定时唤醒' });
  fireEvent.click(screen.getByRole('checkbox', { name: '周五' }));
  fireEvent.click(
    [...dialog.querySelectorAll('button')].findLast(({ textContent }) => textContent === '添加') ?? dialog,
  );
  await waitFor(() => expect(patches).toEqual([{ wake_times: [...times, { days: [1, 2, 3, 4], at: '07:30' }] }]));
  fireEvent.click(await screen.findByRole('button', { name: '删除 09:00 周末' }));
  await waitFor(() => expect(patches[1]).toEqual({ wake_times: [] }));

  cleanup();
  open({ ...pc, wake_times: times, is_own: false }, { state: off });
  await screen.findByText('周末');
  expect(screen.queryByRole('button', { name: '添加' })).toBeNull();
  expect(screen.queryByRole('button', { name: /^删除/ })).toBeNull();
});

test('two times are deleted at once, and neither comes back; one that a phone adds meanwhile stays', async () => {
  const [weekend, daily, added] = [
    { days: [6, 7], at: '09:00' },
    { days: [1, 2, 3, 4, 5, 6, 7], at: '18:00' },
    { days: [1], at: '06:00' },
  ];
  let stored = [weekend, daily];
  open(
    { ...pc, wake_times: stored },
    { state: off },
    {
      'GET /api/user/cloud_apps/': () => [{ ...pc, wake_times: stored }],
      'PATCH /api/user/cloud_apps/{id}/': (input) => {
        stored = (input as { body: { wake_times: typeof stored } }).body.wake_times;
        return pc;
      },
    },
  );
  await screen.findByText('周末');
  stored = [...stored, added];
  fireEvent.click(screen.getByRole('button', { name: '删除 09:00 周末' }));
  fireEvent.click(screen.getByRole('button', { name: '删除 18:00 每天' }));
  await waitFor(() => expect(screen.queryByText('周末') ?? screen.queryByText('每天')).toBeNull());
  await waitFor(() => expect(stored).toEqual([added]));
});

test('the last wakes are listed with who and what came of it', async () => {
  open(
    pc,
    { state: off },
    {
      'GET /api/user/cloud_apps/{id}/wakes/': () => [
        woken,
        { ...woken, id: 2, account: 'wang', is_own: false },
        { ...woken, id: 3, account: null, is_own: false, ip: null, result: 'device-offline' },
      ],
    },
  );
  await screen.findByText('您');
  screen.getByText('账号 wang');
  screen.getByText('定时');
  screen.getByText('设备不在线，未发出');
});

test('an app that the user may not see is not found', async () => {
  open(appOf({ id: 6 }), { state: off }, { 'GET /api/user/cloud_apps/': () => [] });
  await screen.findByText('没有找到该远程应用');
});
