import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import { servedPage, startFloodedRelay } from '../testing/flooded-relay.ts';
import { heldBytes } from '@tongtu/base/testing/held-bytes';
import { controlBytes, rawFrame, yamuxFlag, yamuxType } from '../testing/clients/raw-frames.ts';
import { createAgentKey, testDevice } from '../testing/start-test-relay.ts';

const MB = 1024 * 1024;
const { data, windowUpdate, ping } = yamuxType;
const { syn, ack, fin, rst } = yamuxFlag;

/** Frames over and over, `count` of them, as one piece of bytes. */
function many(count: number, frameOf: (index: number) => Buffer): Buffer {
  return Buffer.concat(Array.from({ length: count }, (_, index) => frameOf(index)));
}

const result = { type: 'probe_result', correlation: 1, ok: true, step: 'tcp', ms: 1, seen: 'x'.repeat(200) };

/** What an agent may send endlessly after its login, and whether that ends its tunnel. */
const floods: [string, { bytes: () => Buffer; isEnd: boolean }][] = [
  [
    // Its own mux then gets replies without a ping, and closes.
    'pings',
    { bytes: () => many(50_000, (value) => rawFrame({ type: ping, flags: syn, length: value })), isEnd: true },
  ],
  ['frames of nothing', { bytes: () => many(100_000, () => rawFrame({ type: data, stream: 1 })), isEnd: false }],
  ['window updates', { bytes: () => many(50_000, () => rawFrame({ type: windowUpdate, stream: 1 })), isEnd: false }],
  [
    'streams that are opened and left idle',
    { bytes: () => many(50_000, (index) => rawFrame({ type: data, flags: syn, stream: 3 + index * 2 })), isEnd: false },
  ],
  [
    'streams that are opened and reset',
    {
      bytes: () => many(50_000, (index) => rawFrame({ type: data, flags: syn | rst, stream: 3 + index * 2 })),
      isEnd: false,
    },
  ],
  [
    'control messages that answer nothing',
    { bytes: () => many(2_000, () => rawFrame({ type: data, stream: 1, payload: controlBytes(result) })), isEnd: true },
  ],
  [
    'endless bye messages',
    {
      bytes: () => many(9, () => rawFrame({ type: data, stream: 1, payload: controlBytes({ type: 'bye' }) })),
      isEnd: true,
    },
  ],
  [
    'ping replies',
    { bytes: () => many(9, (value) => rawFrame({ type: ping, flags: ack, length: value })), isEnd: true },
  ],
  [
    'more than the window',
    { bytes: () => many(9, () => rawFrame({ type: data, stream: 1, payload: randomBytes(200_000) })), isEnd: true },
  ],
  [
    'one stream id again and again',
    { bytes: () => many(9, () => rawFrame({ type: data, flags: syn | fin, stream: 3 })), isEnd: true },
  ],
];

test.each(floods)('%s from one device cost little, and slow no other device', async (_what, { bytes, isEnd }) => {
  await using flood = await startFloodedRelay();
  const key = createAgentKey();
  const agent = await flood.t.connectDevice(testDevice(key, { 'bad.localhost': 1 }), key);
  const before = heldBytes();
  const sent = bytes();
  for (let at = 0; at < sent.length && !agent.isClosed; at += 60_000)
    await agent.sendRaw(sent.subarray(at, at + 60_000));
  expect(await flood.visitAsOther()).toMatch(servedPage);
  if (isEnd) await agent.waitClosed();
  else expect([(await agent.mux.ping()) >= 0, flood.t.relay.deviceCount]).toEqual([true, 2]);
  await expect.poll(() => heldBytes() - before - sent.length, { interval: 200 }).toBeLessThan(3 * MB);
  expect(flood.warnings().length).toBeLessThanOrEqual(1);
});

test('a client that breaks the protocol many times is logged once', async () => {
  await using flood = await startFloodedRelay();
  for (let turn = 0; turn < 20; turn++) {
    const socket = await dial(flood.t.relay.tunnelPort);
    const closed = once(socket, 'close');
    socket.write(rawFrame({ type: data, stream: 99, payload: Buffer.from('x') }));
    await closed;
  }
  expect(flood.warnings()).toEqual(['a tunnel connection broke the protocol']);
  expect(await flood.visitAsOther()).toMatch(servedPage);
});

test('clients that never log in take no place from devices: the limit is per address, and logged once', async () => {
  await using flood = await startFloodedRelay({ maxUnauthenticatedPerIp: 20, loginTimeoutMs: 60_000 });
  const sockets = Array.from({ length: 200 }, () =>
    connectTcp({ port: flood.t.relay.tunnelPort, host: '127.0.0.1', localAddress: '127.0.0.66' }),
  );
  let closed = 0;
  for (const socket of sockets) socket.on('error', () => {}).on('close', () => closed++);
  await expect.poll(() => closed).toBe(180);
  const key = createAgentKey();
  await flood.t.connectDevice(testDevice(key, { 'new.localhost': 1 }), key);
  expect(await flood.visitAsOther()).toMatch(servedPage);
  expect(flood.warnings()).toEqual(['too many connections: some are turned away']);
  for (const socket of sockets) socket.destroy();
});

async function dial(port: number): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  socket.on('error', () => {});
  socket.resume();
  await once(socket, 'secureConnect');
  return socket;
}
