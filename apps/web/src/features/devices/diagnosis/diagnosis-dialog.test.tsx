import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import type { Device, DeviceConnection, Diagnosis } from '@tongtu/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { deviceOf } from '../../../testing/device-fixtures.ts';
import { show } from '../../../testing/show.tsx';
import { setUpTimes } from '../../../text/time.ts';
import { DiagnosisDialog } from './diagnosis-dialog.tsx';
import { diagnosisFile } from './diagnosis-lines.ts';

setUpTimes();
afterEach(cleanup);

const connections: DeviceConnection[] = [
  {
    at: '2026-11-24T08:05:00.000Z',
    online: true,
    offline_reason: null,
    public_ip: '203.0.113.7',
    agent_version: '1.0.0',
  },
  { at: '2026-11-24T08:00:00.000Z', online: false, offline_reason: 'no_heartbeat', public_ip: '', agent_version: '' },
];
const diagnosis: Diagnosis = {
  ...{ made_at: '2026-11-24T09:00:00.000Z', agent_version: '1.0.0', protocol: 1, features: [], proxies: [] },
  system: { platform: 'linux x64', node: 'v24.1.0', uptime_seconds: 7200, free_mib: 10, total_mib: 20, load: 0.5 },
  ...{ server_url: 'https://example.com', server: null, clock_ahead_seconds: 90 },
  dns: [{ name: 'example.com', ok: true, ms: 2, text: '203.0.113.1' }],
  relays: [{ name: 'example.com:7000', ok: false, ms: 8000, text: '连接超时' }],
  lines: {
    from_device: [
      {
        ...{ name: 'example.com:7000', rtt_ms: 31.4, loss_percent: 2.56 },
        congestion_control: 'cubic',
        bytes_per_s: 625e3,
      },
      { name: 'example.com:7000', rtt_ms: null, loss_percent: null, congestion_control: null, bytes_per_s: null },
    ],
    from_relay: [{ name: '', rtt_ms: 3.14, loss_percent: 0, congestion_control: 'bbr', bytes_per_s: 1_250_000 }],
    bbr: { ok: false, text: '没有启用 bbr，请以 root 运行 modprobe tcp_bbr' },
  },
  history: [{ at: '2026-11-24T08:00:05.000Z', text: '已断开：连接已关闭。正在重新连接' }],
};

async function open(given: Partial<Device>, diagnose: () => unknown = () => diagnosis) {
  const calls = show(<DiagnosisDialog device={deviceOf(given)} onClose={() => undefined} />, {
    'GET /api/user/routers/{id}/connections/': () => connections,
    'POST /api/user/routers/{id}/diagnosis/': diagnose,
  });
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('来自 203.0.113.7，客户端 1.0.0');
  return { calls, dialog };
}

test('an online device is asked at once, and what failed stands beside what works', async () => {
  const { dialog, calls } = await open({});
  expect(await dialog.findByText('连接超时')).toBeDefined();
  expect(dialog.getByText('8000 毫秒')).toBeDefined();
  expect(dialog.getByText('比服务器快 90 秒，请校准')).toBeDefined();
  expect(dialog.getByText('2 小时')).toBeDefined();
  expect(dialog.getByText('设备一段时间没有回应，可能断电、断网或休眠，持续 5 分钟')).toBeDefined();
  fireEvent.click(dialog.getByRole('button', { name: /重新诊断/ }));
  await vi.waitFor(() => expect(calls.filter(({ key }) => key.startsWith('POST'))).toHaveLength(2));
});

test('each connection shows its loss, round trip, congestion control and rate, and what would help', async () => {
  const { dialog } = await open({});
  const row = async (name: string) => (await dialog.findByText(name)).parentElement?.textContent;
  expect(await row('example.com:7000 连接 1')).toBe(
    '丢包example.com:7000 连接 1往返 31 毫秒 · 重传 2.6 % · 拥塞控制 cubic · 最近速率 5.0 Mbit/s',
  );
  expect(await row('example.com:7000 连接 2')).toContain('未知example.com:7000 连接 2往返未知');
  expect(await row('连接 1')).toBe('正常连接 1往返 3.1 毫秒 · 重传 0.0 % · 拥塞控制 bbr · 最近速率 10.0 Mbit/s');
  expect(dialog.getByRole('alert').textContent).toContain('modprobe tcp_bbr');
});

test('where nothing is known of the connections, that is said', async () => {
  const lines = { from_device: null, from_relay: null, bbr: null };
  const { dialog } = await open({}, () => ({ ...diagnosis, lines }));
  await dialog.findByText('客户端版本过旧，升级后才能显示');
  dialog.getByText('中继所在的系统不提供这些数据');
});

test.each<[string, Partial<Device>, RegExp]>([
  ['is offline', { online: false, state: 'offline' }, /设备不在线，不能自检/],
  ['runs frpc', { program: 'frpc' }, /frpc，它不能检查自己的连接/],
])('a device that %s is not asked, and the recorded connections are shown', async (_why, given, words) => {
  const { dialog, calls } = await open(given);
  expect(dialog.getByText(words)).toBeDefined();
  expect(dialog.queryByRole('button', { name: '重新诊断' })).toBeNull();
  expect(calls.some(({ key }) => key.startsWith('POST'))).toBe(false);
});

test('an offline frpc device shows why frpc of this account were not let in', async () => {
  const attempts = [
    { kind: 'frpc_clock', is_own: true, seconds_ago: 5 },
    { kind: 'frpc_token', is_own: false, seconds_ago: 5 },
  ];
  show(
    <DiagnosisDialog
      device={deviceOf({ program: 'frpc', online: false, state: 'offline' })}
      onClose={() => undefined}
    />,
    {
      'GET /api/user/routers/{id}/connections/': () => connections,
      'GET /api/user/device_attempts/': () => attempts,
    },
  );
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('最近 30 分钟内，您的 frpc 设备没有被接受：设备的时钟不准，frpc 不能登录');
  expect(dialog.getByText(/开启时间同步/)).toBeDefined();
  expect(dialog.queryByText(/密钥（token）不正确/)).toBeNull();
});

test('the file has all of it, also why there is no diagnosis', () => {
  const device = deviceOf();
  const now = new Date('2026-11-24T09:00:00Z');
  const file = diagnosisFile({ device, diagnosis, failure: '', connections, now });
  for (const part of [
    '家里的群晖（3f9a1c22b07e）',
    '失败  example.com:7000  8000 毫秒  连接超时',
    '已断开',
    '离线',
    '丢包  example.com:7000 连接 1  往返 31 毫秒',
    'modprobe tcp_bbr',
  ])
    expect(file).toContain(part);
  const none = diagnosisFile({ device, diagnosis: undefined, failure: '客户端版本过旧', connections: [], now });
  expect(none).toContain('  客户端版本过旧');
  expect(none).toContain('还没有记录');
});
