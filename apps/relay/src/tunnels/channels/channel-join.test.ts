import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { encodeJoin, JOIN_PROTOCOL, type JoinRequest, MAX_CHANNELS } from '@tongtu/tunnel';
import { heldBytes } from '@tongtu/base/testing/held-bytes';
import { describe, expect, test } from 'vitest';
import { type ChannelAgent, sendJoin } from '../../testing/channel-agent.ts';
import { openRawClient } from '../../testing/clients/raw-client.ts';
import { rawFrame, yamuxFlag, yamuxType } from '../../testing/clients/raw-frames.ts';
import { HOSTILE, servedPage, startFloodedRelay } from '../../testing/flooded-relay.ts';
import { createAgentKey, testDevice } from '../../testing/start-test-relay.ts';

const MB = 1024 * 1024;
const { data, ping } = yamuxType;
const { syn } = yamuxFlag;

/** A relay with another device, and an agent with two channels. */
async function startHome() {
  const flood = await startFloodedRelay();
  const key = createAgentKey();
  const agent = await flood.t.connectChannels(testDevice(key, { 'bad.localhost': 1 }), key, { onOpen: () => 'silent' });
  const visitor = openRawClient(flood.t.relay.httpPort);
  visitor.send('GET / HTTP/1.1\r\nHost: bad.localhost\r\n\r\n');
  await expect.poll(() => agent.wanted).toBe(3);
  expect(await agent.join(1)).toMatchObject({ type: 'joined' });
  return {
    flood,
    agent,
    port: flood.t.relay.tunnelPort,
    /** Both channels still answer, and so does the other device. */
    async expectUnharmed() {
      expect(await agent.first.mux.ping()).toBeGreaterThanOrEqual(0);
      expect(await agent.carrierOf(1).mux.ping()).toBeGreaterThanOrEqual(0);
      expect(await flood.visitAsOther()).toMatch(servedPage);
    },
    async [Symbol.asyncDispose]() {
      visitor.socket.destroy();
      await agent[Symbol.asyncDispose]();
      await flood[Symbol.asyncDispose]();
    },
  };
}

const refusals: [string, (agent: ChannelAgent) => Promise<Partial<JoinRequest>>, string][] = [
  ['another session', () => Promise.resolve({ session: 'A'.repeat(22) }), 'session.unknown'],
  ['a wrong secret', () => Promise.resolve({ secret: 'A'.repeat(43) }), 'session.unknown'],
  ['a channel beyond the last one', () => Promise.resolve({ channel: MAX_CHANNELS }), 'channel.refused'],
  [
    'a new channel of which bytes were received',
    () => Promise.resolve({ channel: 5, receivedBytes: 1 }),
    'channel.refused',
  ],
  ['more bytes than were sent', () => Promise.resolve({ receivedBytes: 1e9 }), 'channel.refused'],
  ['fewer bytes than the agent had said', () => Promise.resolve({ channel: 0, receivedBytes: 0 }), 'channel.refused'],
  ['a join that was sent before', () => Promise.resolve({ attempt: 1 }), 'channel.refused'],
];

describe('a join is refused and changes nothing', () => {
  test.each(refusals)('with %s', async (_what, changesOf, code) => {
    await using home = await startHome();
    const { agent, port } = home;
    await agent.first.mux.ping(); // the relay knows how much has arrived
    const request = { ...(await agent.requestOf(1)), ...(await changesOf(agent)) };
    const { socket, answer } = await sendJoin(port, request);
    expect(answer).toEqual({ type: 'refused', code });
    socket.destroy();
    await home.expectUnharmed();
    expect(home.flood.warnings().length).toBeLessThanOrEqual(1);
  });
});

const malformed: [string, (join: Buffer) => Buffer][] = [
  ['with bytes after it', (join) => Buffer.concat([join, rawFrame({ type: ping, flags: syn, length: 1 })])],
  ['of other bytes', () => Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ['of a length beyond the limit', () => Buffer.from('ffffffff', 'hex')],
  ['without its fields', () => Buffer.from('000000027b7d', 'hex')],
];

test.each(malformed)('a join %s ends its connection, and is logged once', async (_what, bytesOf) => {
  await using home = await startHome();
  for (let turn = 0; turn < 3; turn++) {
    const bytes = bytesOf(encodeJoin(await home.agent.requestOf(1)));
    await expect(sendBytes(home.port, bytes)).resolves.toBe('closed');
  }
  await home.expectUnharmed();
  expect(home.flood.warnings()).toEqual(['a tunnel connection broke the protocol']);
});

test('joins that are refused or given up are no attempts to add a device', async () => {
  await using home = await startHome();
  const { agent, port, flood } = home;
  await sendBytes(port, encodeJoin({ ...(await agent.requestOf(1)), attempt: 1 }), HOSTILE);
  await sendBytes(port, Buffer.from('00000002{]'), HOSTILE);
  // Reports are sent in order: this one is the first.
  flood.t.openAgent({ key: createAgentKey(), protocol: 99 });
  const { attempts } = await flood.t.server.waitFor('device_attempts');
  expect(attempts.map(({ kind }) => kind)).toContain('protocol_unsupported');
  expect(attempts.filter(({ ip }) => ip === HOSTILE)).toEqual([]);
});

test('frames of one stream on two channels end the channel where it does not belong, and no other', async () => {
  await using home = await startHome();
  const { agent } = home;
  const carrier = agent.carrierOf(1);
  carrier.socket?.write(rawFrame({ type: data, stream: 2, payload: Buffer.from([0]) }));
  await expect.poll(() => agent.further.size).toBe(0);
  expect(await agent.first.mux.ping()).toBeGreaterThanOrEqual(0);
  expect(home.flood.warnings()).toEqual(['a tunnel connection broke the protocol']);
  // It can be opened anew.
  expect(await agent.join(1)).toEqual({ type: 'joined', receivedBytes: 0 });
  await home.expectUnharmed();
});

test('hundreds of joins of a device that must not join cost little', async () => {
  await using home = await startHome();
  const before = heldBytes();
  const { agent, port } = home;
  for (let turn = 0; turn < 8; turn++) {
    const requests = await Promise.all(Array.from({ length: 100 }, (_, at) => agent.requestOf(2 + (at % 62))));
    await joinMany(port, requests);
  }
  await home.expectUnharmed();
  await expect.poll(() => heldBytes() - before, { interval: 200 }).toBeLessThan(6 * MB);
  expect(home.flood.warnings().length).toBeLessThanOrEqual(1);
});

test('a channel that asks for replies and never reads is ended', async () => {
  await using home = await startHome();
  const { agent } = home;
  const { socket } = agent.carrierOf(1);
  if (socket === undefined) throw new Error('the channel has a connection');
  const before = heldBytes();
  socket.pause();
  const pings = Buffer.concat(
    Array.from({ length: 5_000 }, (_, value) => rawFrame({ type: ping, flags: syn, length: value })),
  );
  while (!socket.destroyed) await new Promise<void>((resolve) => socket.write(pings, () => resolve()));
  await expect.poll(() => heldBytes() - before, { interval: 200 }).toBeLessThan(4 * MB);
  expect(await agent.first.mux.ping()).toBeGreaterThanOrEqual(0);
  expect(await home.flood.visitAsOther()).toMatch(servedPage);
});

async function sendBytes(port: number, bytes: Buffer, localAddress = '127.0.0.1'): Promise<'closed'> {
  const tcp = connectTcp({ port, host: '127.0.0.1', localAddress });
  const socket = connectTls({ socket: tcp, rejectUnauthorized: false, ALPNProtocols: [JOIN_PROTOCOL] });
  socket.on('error', () => {});
  socket.resume();
  socket.write(bytes);
  return await new Promise((resolve) => socket.on('close', () => resolve('closed')));
}

async function joinMany(port: number, requests: JoinRequest[]): Promise<void> {
  await Promise.all(
    requests.map(async (request) => {
      const joined = await sendJoin(port, request).catch(() => undefined);
      joined?.socket.destroy();
    }),
  );
}
