import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { RelayConnections } from './relay-connections.ts';
import { setCongestionControl } from './set-congestion-control.ts';
import { parseSocketStates } from './socket-states.ts';

const isLinux = process.platform === 'linux';
const hasSs = (() => {
  try {
    execFileSync('ss', ['-V']);
    return true;
  } catch {
    return false;
  }
})();

async function connected(): Promise<{ near: Socket; far: Socket } & Disposable> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [[far]] = (await Promise.all([once(server, 'connection'), once(near, 'connect')])) as [[Socket], unknown];
  server.close();
  return {
    near,
    far,
    [Symbol.dispose]: () => {
      near.destroy();
      far.destroy();
    },
  };
}

const left = { bbr: false, platform: process.platform, mayLoadModule: false };

test.skipIf(!isLinux || !hasSs)('the congestion control of one connection is set, and that of no other', async () => {
  using changed = await connected();
  using other = await connected();
  const connections = new RelayConnections(left);
  connections.add(changed.near, 'relay:1');
  connections.add(other.near, 'relay:2');
  const before = await connections.measure();
  expect(await setCongestionControl(changed.near, 'reno')).toBe('set');
  const after = await connections.measure();
  expect(after[0]).toMatchObject({ name: 'relay:1', congestionControl: 'reno' });
  expect(after[1]?.congestionControl).toBe(before[1]?.congestionControl);
});

test.skipIf(!isLinux)('a connection whose congestion control is set goes on reading and writing', async () => {
  using pair = await connected();
  pair.near.setEncoding('utf8');
  const first = once(pair.near, 'data');
  pair.far.write('before');
  expect(await first).toEqual(['before']);
  expect(await setCongestionControl(pair.near, 'reno')).toBe('set');
  const second = once(pair.near, 'data');
  pair.far.write('after');
  expect(await second).toEqual(['after']);
});

test.skipIf(!isLinux)('a kernel without it says so, and a closed connection is left alone', async () => {
  using pair = await connected();
  expect(await setCongestionControl(pair.near, 'nonsense')).toBe('not-in-kernel');
  pair.near.destroy();
  expect(await setCongestionControl(pair.near, 'reno')).toBeUndefined();
});

test('without a program that can set it there is no change', async () => {
  using pair = await connected();
  const { PATH } = process.env;
  process.env['PATH'] = '/nonexistent';
  try {
    expect(await setCongestionControl(pair.near, 'reno')).toBe('no-tool');
  } finally {
    process.env['PATH'] = PATH;
  }
});

test.each([
  [{ ...left, bbr: true, platform: 'darwin' as const }, 'not-linux'],
  [left, 'off'],
])('with %j nothing is changed', async (options, state) => {
  using pair = await connected();
  const connections = new RelayConnections(options);
  connections.add(pair.near, 'relay:1');
  await connections.settled();
  expect(connections.bbr).toBe(state);
});

test.skipIf(!isLinux)('a relay on this machine needs none', async () => {
  using pair = await connected();
  const connections = new RelayConnections({ bbr: true, platform: 'linux', mayLoadModule: false });
  expect(connections.bbr).toBe('untried');
  connections.add(pair.near, 'relay:1');
  await connections.settled();
  expect(connections.bbr).toBe('local');
});

test('a connection that has ended is not listed any more', async () => {
  using pair = await connected();
  const connections = new RelayConnections(left);
  connections.add(pair.near, 'relay:1');
  expect(await connections.measure()).toHaveLength(1);
  pair.near.destroy();
  await once(pair.near, 'close');
  expect(await connections.measure()).toEqual([]);
});

test('what ss prints is read, of new and old versions, with and without a state in front', () => {
  const output = [
    '0      0      192.168.1.2:50708 203.0.113.1:7000 ',
    '\t bbr wscale:10,10 rto:204 rtt:31.4/0.014 ato:40 mss:1448 cwnd:12 bytes_sent:1000 bytes_retrans:25 bytes_acked:706 send 185042823529bps delivery_rate 8000000bps delivered:3 minrtt:0.015',
    'ESTAB 0      0      [2001:db8::2%eth0]:50710 [2001:db8::1]:7000',
    '\t ts sack cubic wscale:7,7 rto:204 rtt:10/5 mss:1448 cwnd:10 send 9.3Mbps delivery_rate 12.5Mbps',
    'ESTAB 0      0      [::ffff:192.168.1.2]:50712 [::ffff:203.0.113.1]:7000',
    '\t ts sack ecn cubic wscale:7,7',
  ].join('\n');
  expect(parseSocketStates(`${output}\n`)).toEqual([
    {
      ...{ localPort: 50_708, remoteAddress: '203.0.113.1', remotePort: 7000, congestionControl: 'bbr', rttMs: 31.4 },
      ...{ sentBytes: 1000, retransmittedBytes: 25, bytesPerS: 1_000_000 },
    },
    {
      ...{ localPort: 50_710, remoteAddress: '2001:db8::1', remotePort: 7000, congestionControl: 'cubic', rttMs: 10 },
      ...{ sentBytes: null, retransmittedBytes: 0, bytesPerS: 1_562_500 },
    },
    {
      ...{ localPort: 50_712, remoteAddress: '203.0.113.1', remotePort: 7000, congestionControl: 'cubic', rttMs: null },
      ...{ sentBytes: null, retransmittedBytes: 0, bytesPerS: null },
    },
  ]);
});
