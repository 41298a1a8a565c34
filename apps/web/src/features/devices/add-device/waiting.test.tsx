import { cleanup, screen } from '@testing-library/react';
import type { DeviceAttemptKind } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { show } from '../../../testing/show.tsx';
import { adviceOf } from './advice.ts';
import type { Program } from './boxes.ts';
import { Waiting } from './waiting.tsx';

afterEach(cleanup);

const seen = (...kinds: DeviceAttemptKind[]) => kinds.map((kind) => ({ kind, is_own: false, seconds_ago: 1 }));

function wait(program: Program, kinds: DeviceAttemptKind[], lateAfterMs = 0) {
  const shown = { program, address: 'tongtu.example.com:7000', atMs: performance.now() };
  show(<Waiting shown={shown} returned={undefined} lateAfterMs={lateAfterMs} />, {
    'GET /api/user/device_attempts/': () => seen(...kinds),
  });
}

test('when nothing has arrived in time, it says what to check, with the address and the port', async () => {
  wait('agent', []);
  await screen.findByText('还没有等到您的设备');
  screen.getByText(/服务器没有收到来自设备的任何连接/);
  screen.getByText(/防火墙是否拦截了 tongtu\.example\.com:7000/);
  screen.getByText(/这里只看得到来自您现在所用网络的尝试/);
});

test('a device that came as far as the agent is probably stopped by a blocked port', async () => {
  wait('agent', ['script', 'agent']);
  await screen.findByText(/设备下载了客户端，但没有连上 tongtu\.example\.com:7000/);
});

test('before that time it only says how far the device has come', async () => {
  wait('agent', ['script'], 120_000);
  await screen.findByText(/设备已经下载安装脚本/);
  expect(screen.queryByText('还没有等到您的设备')).toBeNull();
});

test('the advice is for the program that connects, the most precise first', () => {
  const all = seen('broken_off', 'frpc_token', 'token_invalid', 'clock_wrong', 'script', 'name_unknown');
  expect(adviceOf(all, 'agent')).toEqual({ problems: ['token_invalid', 'clock_wrong'], step: 'script' });
  expect(adviceOf(all, 'frpc')).toEqual({ problems: ['frpc_token', 'clock_wrong', 'name_unknown'], step: undefined });
  expect(adviceOf(seen('broken_off'), 'agent').problems).toEqual(['broken_off']);
});
