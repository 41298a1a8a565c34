import { createHash, randomBytes } from 'node:crypto';
import { encodeOpenRequest, type Mux, type TunnelAddress } from '@tongtu/tunnel';
import { expect, test } from 'vitest';
import type { AgentConfig } from '../agent-config.ts';
import { startAgent } from '../start-agent.ts';
import { setUp } from '../testing/agent-setup.ts';
import { startLanService } from '../testing/lan-service.ts';
import { RelayStream } from '../testing/relay-stream.ts';
import { TestLine } from '../testing/test-line.ts';
import { type TestSession, TEST_UID, welcome } from '../testing/test-relay.ts';

/** Silence is noticed after one heartbeat. On a busy machine a shorter one would be missed now and then. */
const heartbeatMs = 1_000;

/** A relay with sessions of several connections, an echo service, and a line to the relay that can be cut. */
async function setUpChannels(overrides: Partial<AgentConfig> = {}) {
  const parts = new AsyncDisposableStack();
  const it = parts.use(await setUp());
  const line = parts.use(await TestLine.open(it.relay.tunnelPort));
  const service = parts.use(await startLanService((socket) => socket.pipe(socket)));
  const target = { mappingId: 7, transport: 'tcp' as const, host: '127.0.0.1', port: service.port };
  it.relay.hasChannels = true;
  it.relay.onLogin = () => ({ ...welcome, heartbeatMs, targets: [target] });
  const visit = (mux: Mux) => {
    const stream = new RelayStream(mux);
    stream.write(encodeOpenRequest({ ...target, kind: 'tcp', visitorAddress: '203.0.113.7' }));
    return stream;
  };
  const config = { ...it.config, reach: ({ host }: TunnelAddress) => ({ host, port: line.port }), ...overrides };
  return { ...it, config, line, visit, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

const eventsOf = (log: { events: { event: string }[] }) => log.events.map(({ event }) => event);

/** Sends `chunks` through the echo service and checks what returns. */
async function echo(stream: RelayStream, chunks: readonly Buffer[]): Promise<void> {
  await stream.writeAll(chunks);
  stream.end();
  await stream.ended;
  const expected = chunks.reduce((hash, chunk) => hash.update(chunk), createHash('sha256')).digest('hex');
  expect(stream.digest()).toBe(expected);
}

const megabytes = (count: number) => Array.from({ length: count * 16 }, () => randomBytes(64 * 1024));

test('a transfer goes on over a fresh connection when the old one is silent, and the device stays online', async () => {
  await using it = await setUpChannels();
  await using _agent = await startAgent(it.config, it.log);
  const session = await it.relay.nextSession();
  const stream = it.visit(session.mux);
  const transfer = echo(stream, megabytes(8));
  await stream.whenReceived(1_000_000);

  it.line.silence();
  await session.channels.untilJoins(1);
  await transfer;

  expect(eventsOf(it.log)).toEqual(['enrolling', 'online', 'connections-replaced']);
  expect(it.log.events.at(-1)).toMatchObject({ connections: 1, relay: `127.0.0.1:${it.relay.tunnelPort}` });
  await expect.poll(() => it.line.openCount).toBe(1);
});

test('a transfer goes on when its connection is reset, again and again', async () => {
  await using it = await setUpChannels();
  await using _agent = await startAgent(it.config, it.log);
  const session = await it.relay.nextSession();
  const stream = it.visit(session.mux);
  const transfer = echo(stream, megabytes(8));

  for (let cut = 1; cut <= 5; cut++) {
    await stream.whenReceived(cut * 1_000_000);
    it.line.cut();
    await session.channels.untilJoins(cut);
  }
  await transfer;

  expect(session.channels.joins.map(({ channel }) => channel)).toEqual([0, 0, 0, 0, 0]);
  // One line for all of them.
  expect(eventsOf(it.log).filter((event) => event === 'connections-replaced')).toHaveLength(1);
});

test('the agent opens as many channels as the relay wants, and does not reopen those that the relay closes', async () => {
  await using it = await setUpChannels();
  await using _agent = await startAgent(it.config, it.log);
  const session = await it.relay.nextSession();

  session.send({ type: 'channels', wanted: 64 });
  await session.channels.untilJoins(7);
  session.send({ type: 'channels', wanted: 3 });
  expect(session.channels.numbers).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  await Promise.all(
    session.channels.numbers.map((number) => echo(it.visit(session.channels.mux(number)), megabytes(1))),
  );

  for (const number of [7, 6, 5, 4, 3]) session.channels.mux(number).closeWhenSent();
  await expect.poll(() => it.line.openCount).toBe(3);
  session.send({ type: 'channels', wanted: 4 });
  await session.channels.untilJoins(8);

  expect(session.channels.joins.at(-1)).toMatchObject({ channel: 3, receivedBytes: 0 });
  expect(session.channels.numbers).toEqual([0, 1, 2, 3]);
  expect(eventsOf(it.log)).toEqual(['enrolling', 'online']);
});

test('the loss of any channel, and of all, costs no stream and no byte', async () => {
  await using it = await setUpChannels();
  await using _agent = await startAgent(it.config, it.log);
  const session = await it.relay.nextSession();
  session.send({ type: 'channels', wanted: 4 });
  await session.channels.untilJoins(3);
  const streams = session.channels.numbers.map((number) => it.visit(session.channels.mux(number)));
  const transfers = Promise.all(streams.map((stream) => echo(stream, megabytes(4))));

  await Promise.all(streams.map((stream) => stream.whenReceived(500_000)));
  it.line.cut(1);
  await session.channels.untilJoins(4);
  it.line.silence(3);
  await session.channels.untilJoins(7);
  it.line.silence();
  await session.channels.untilJoins(11);
  await transfers;

  expect(eventsOf(it.log).filter((event) => event !== 'connections-replaced')).toEqual(['enrolling', 'online']);
});

test('after cuts and stalls at random times each stream has every byte once and in order', async () => {
  await using it = await setUpChannels();
  await using _agent = await startAgent(it.config, it.log);
  const session = await it.relay.nextSession();
  session.send({ type: 'channels', wanted: 3 });
  await session.channels.untilJoins(2);
  const seed = randomBytes(1).readUInt8();
  let state = seed + 1;
  const below = (limit: number) => (state = (state * 16_807) % 2_147_483_647) % limit;
  const streams = [0, 1, 2, 0, 1, 2].map((number) => it.visit(session.channels.mux(number)));
  let isOver = false;
  const transfers = Promise.all(streams.map((stream) => echo(stream, megabytes(6)))).finally(() => (isOver = true));

  while (!isOver) {
    await new Promise((resolve) => setTimeout(resolve, below(80)));
    const count = 1 + below(4);
    [() => it.line.cut(count), () => it.line.silence(count), () => it.line.release(count)][below(3)]?.();
    // Once in a while they may get somewhere.
    if (below(5) === 0) await new Promise((resolve) => setTimeout(resolve, 1_500));
  }
  await transfers.catch((error: unknown) => expect.fail(`seed ${seed}: ${String(error)}`));
});

test('a channel that the relay has given up ends with its streams, and the others go on', async () => {
  await using it = await setUpChannels();
  await using _agent = await startAgent(it.config, it.log);
  const session = await it.relay.nextSession();
  session.send({ type: 'channels', wanted: 2 });
  await session.channels.untilJoins(1);
  const [first, second] = [0, 1].map((number) => it.visit(session.channels.mux(number)));
  const transfer = echo(first!, megabytes(4)); // there is one for each number
  second?.write(Buffer.from('hello'));
  await second?.whenReceived(5);

  session.channels.forget(1);
  it.line.cut();

  await transfer;
  expect(session.channels.joins.map(({ channel }) => channel)).toEqual([1, 0]);
  await it.log.until('connections-replaced');
  expect(eventsOf(it.log)).toEqual(['enrolling', 'online', 'connections-replaced']);
});

test('nothing is exchanged when the old connection works again', async () => {
  await using it = await setUpChannels();
  await using _agent = await startAgent(it.config, it.log);
  const session = await it.relay.nextSession();
  await echo(it.visit(session.mux), megabytes(1));
  it.line.isOpen = false;
  it.line.silence();
  await expect.poll(() => it.line.accepted).toBeGreaterThan(1);

  it.line.release(1);
  await expect.poll(() => it.line.openCount).toBe(1);
  await echo(it.visit(session.mux), megabytes(1));

  expect(session.channels.joins).toEqual([]);
  expect(eventsOf(it.log)).toEqual(['enrolling', 'online']);
});

test('bytes that the old connection delivers after the join was requested are not taken twice', async () => {
  await using it = await setUpChannels();
  await using _agent = await startAgent(it.config, it.log);
  const session = await it.relay.nextSession();
  const stream = it.visit(session.mux);
  const transfer = echo(stream, megabytes(8));
  await stream.whenReceived(1_000_000);
  const { channels } = session;
  const join = channels.join.bind(channels);
  channels.join = (...asked) => {
    it.line.deliverToAgent();
    setTimeout(() => join(...asked), 20);
  };

  it.line.silence();
  await channels.untilJoins(1);
  await transfer;
});

test('a device is offline after almost three heartbeats of silence, and online again with the same session', async () => {
  await using it = await setUpChannels();
  await using agent = await startAgent(it.config, it.log);
  const session = await it.relay.nextSession();
  const stream = it.visit(session.mux);
  stream.write(Buffer.from('before'));
  await stream.whenReceived(6);

  it.line.isOpen = false;
  it.line.silence();
  expect(await it.log.until('offline')).toMatchObject({ reason: 'silent' });
  it.line.isOpen = true;
  await session.channels.untilJoins(1);
  expect(await agent.whenOnline()).toEqual({ uid: TEST_UID });
  stream.write(Buffer.from(' after'));
  await stream.whenReceived(12);

  expect(stream.text).toBe('before after');
  expect(eventsOf(it.log)).toEqual(['enrolling', 'online', 'offline', 'online', 'connections-replaced']);
});

test('a relay that has forgotten the session gets a login', async () => {
  await using it = await setUpChannels();
  await using agent = await startAgent(it.config, it.log);
  const session = await it.relay.nextSession();
  await agent.whenOnline();

  it.line.silence();
  it.relay.forgetSessions();

  const second = await it.relay.nextSession();
  expect(second.login.hello.publicKey).toBe(session.login.hello.publicKey);
  expect(second.channels.joins).toEqual([]);
  await echo(it.visit(second.mux), megabytes(1));
});

test('a relay that restarts gets a login at once: its closed port is no silence', async () => {
  await using it = await setUpChannels({ reach: (address) => address });
  await using agent = await startAgent(it.config, it.log);
  await it.relay.nextSession();
  await agent.whenOnline();

  await it.relay.stopTunnel();
  expect(await it.log.until('offline')).toMatchObject({ reason: 'ECONNREFUSED' });
  await it.relay.listenTunnel();

  await it.relay.nextSession();
  expect(await agent.whenOnline()).toEqual({ uid: TEST_UID });
});

test('a machine that wakes up dials a fresh connection, although no ping has waited yet', async () => {
  let wallClockMs = 0;
  // As in a sleep, the clock of the process stands still.
  await using it = await setUpChannels({ wallClockMs: () => wallClockMs, monotonicMs: () => 0 });
  await using _agent = await startAgent(it.config, it.log);
  const session = await it.relay.nextSession();
  await it.log.until('online');

  it.line.silence();
  wallClockMs += 3_600_000;

  await session.channels.untilJoins(1);
  await it.log.until('connections-replaced');
  expect(eventsOf(it.log)).toEqual(['enrolling', 'online', 'connections-replaced']);
});

test('a stop ends every connection, also while one is dialled', async () => {
  await using it = await setUpChannels();
  const agent = await startAgent(it.config, it.log);
  const session: TestSession = await it.relay.nextSession();
  session.send({ type: 'channels', wanted: 3 });
  await session.channels.untilJoins(2);
  it.line.isOpen = false;
  session.send({ type: 'channels', wanted: 4 });
  await expect.poll(() => it.line.openCount).toBe(4);

  await agent[Symbol.asyncDispose]();

  expect(await session.nextMessage()).toEqual({ type: 'bye' });
  await expect.poll(() => it.line.openCount).toBe(0);
});

test('channels get fresh connections when the relay asks for them, in the middle of a transfer', async () => {
  await using it = await setUpChannels();
  await using _agent = await startAgent(it.config, it.log);
  const session = await it.relay.nextSession();
  session.send({ type: 'channels', wanted: 2 });
  await session.channels.untilJoins(1);
  const transfers = [0, 1].map((number) => it.visit(session.channels.mux(number)));
  const echoes = transfers.map((stream) => echo(stream, megabytes(4)));
  await Promise.all(transfers.map((stream) => stream.whenReceived(500_000)));
  session.send({ type: 'channels', wanted: 2, renew: [0, 1, 5] });
  await session.channels.untilJoins(3);
  await Promise.all(echoes);
  // Channel 1 has joined before. On a busy machine more may be dialled, because they seem silent.
  expect(new Set(session.channels.joins.slice(1).map(({ channel }) => channel))).toEqual(new Set([0, 1]));
  await expect.poll(() => it.line.openCount).toBe(2);
});

test('a channel whose renewal is refused keeps its connection', async () => {
  await using it = await setUpChannels();
  await using _agent = await startAgent(it.config, it.log);
  const session = await it.relay.nextSession();
  session.channels.forget(0);
  session.send({ type: 'channels', wanted: 1, renew: [0] });
  await echo(it.visit(session.mux), megabytes(2));
  expect(eventsOf(it.log)).not.toContain('offline');
});
