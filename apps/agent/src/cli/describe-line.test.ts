import { MAX_DIAGNOSIS_TEXT_LENGTH } from '@tongtu/tunnel';
import { expect, test } from 'vitest';
import type { BbrState } from '../line/relay-connections.ts';
import { describeBbr, describeConnection } from './describe-line.ts';

test.each<[BbrState, 'container' | 'openwrt' | 'machine', string]>([
  ['not-in-kernel', 'machine', '以 root 运行 modprobe tcp_bbr'],
  ['not-in-kernel', 'container', '在宿主机上以 root 运行 modprobe tcp_bbr'],
  ['not-in-kernel', 'openwrt', 'opkg install kmod-tcp-bbr'],
  ['no-tool', 'machine', '/etc/sysctl.d/90-bbr.conf'],
  ['no-tool', 'container', '在宿主机上以 root 运行 echo'],
  ['refused', 'machine', '/etc/sysctl.d/90-bbr.conf'],
])('with %s on a %s it says what to run', (bbr, place, command) => {
  const { ok, text } = describeBbr({ bbr, place });
  expect(ok).toBe(false);
  expect(text).toContain(command);
  expect(text.length).toBeLessThanOrEqual(MAX_DIAGNOSIS_TEXT_LENGTH);
});

test.each<BbrState>(['set', 'default', 'local', 'off', 'untried', 'not-linux'])(
  'with %s nothing is to be done',
  (bbr) => {
    expect(describeBbr({ bbr, place: 'machine' })).toMatchObject({ ok: true });
  },
);

test('a connection is described in one line, also where little is known', () => {
  const known = {
    name: 'example.com:7000',
    rttMs: 31.4,
    lossPercent: 2.56,
    congestionControl: 'bbr',
    bytesPerS: 625_000,
  };
  expect(describeConnection(known)).toBe('  example.com:7000　往返 31 ms　重传 2.6 %　拥塞控制 bbr　速率 5.0 Mbit/s');
  const unknown = { name: 'r:1', rttMs: null, lossPercent: null, congestionControl: null, bytesPerS: null };
  expect(describeConnection(unknown)).toBe('  r:1　往返 未知　重传 未知　拥塞控制 未知　速率 未知');
});
