import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openRawClient, type RawClient } from '../testing/clients/raw-client.ts';
import {
  createAgentKey,
  startLanService,
  startTestRelay,
  testDevice,
  type TestRelay,
  type TestRelayChanges,
} from '../testing/start-test-relay.ts';
import type { RelayLimits } from '../config/relay-limits.ts';

test('a device that joins its session at once has never been offline', async () => {
  await using t = await startHome({ rejoinWaitMs: 60_000 });
  t.agent.first.kill();
  await expect.poll(() => t.agent.first.carrier.socket).toBeUndefined();
  expect(await t.agent.join(0)).toMatchObject({ type: 'joined' });
  expect(await served(t.relay)).toBe(true);
  t.agent.first.send({ type: 'bye' });
  await expect.poll(() => presence(t.relay)).toEqual(['online', 'agent_stopped']);
});

test('a device whose connections are lost is offline after a while, and online again with its session', async () => {
  await using t = await startHome({ rejoinWaitMs: 30 });
  t.agent.first.kill();
  await expect.poll(() => presence(t.relay)).toEqual(['online', 'connection_lost']);
  expect(t.relay.relay.deviceCount).toBe(0);
  await using waiting = visit(t.relay);
  expect(await t.agent.join(0)).toMatchObject({ type: 'joined' });
  expect(await waiting.untilEnd()).toMatch(/served$/);
  await expect.poll(() => presence(t.relay)).toEqual(['online', 'connection_lost', 'online']);
  expect(t.relay.relay.deviceCount).toBe(1);
  const epochs = events(t.relay).map(({ epoch }) => epoch);
  expect([epochs[1] === epochs[0], (epochs[2] ?? 0) > (epochs[1] ?? 0)]).toEqual([true, true]);
});

test('a silent device is offline, and online again when the same connection speaks again', async () => {
  await using t = await startHome({ heartbeatMs: 50, heartbeatLostMs: 200 });
  t.agent.first.freeze();
  await expect.poll(() => presence(t.relay)).toEqual(['online', 'no_heartbeat']);
  t.agent.first.thaw();
  await expect.poll(() => presence(t.relay)).toEqual(['online', 'no_heartbeat', 'online']);
  expect(await served(t.relay)).toBe(true);
});

test('a device stays online while one of its channels has a connection', async () => {
  await using t = await startHome({ rejoinWaitMs: 0 });
  await using held = visit(t.relay, '/held');
  await expect.poll(() => t.agent.wanted).toBe(3);
  await t.agent.join(1);
  t.agent.first.kill();
  for (let turn = 0; turn < 3; turn++) expect(await served(t.relay)).toBe(true);
  expect(presence(t.relay)).toEqual(['online']);
  await t.agent.join(0);
  t.answerHeld();
  expect(await held.untilEnd()).toMatch(/late$/);
});

test('a request waits for an absent device for a time, and then gets the page that says so', async () => {
  await using t = await startHome({ awayHoldMs: 100, rejoinWaitMs: 0 });
  t.agent.first.kill();
  await expect.poll(() => presence(t.relay)).toEqual(['online', 'connection_lost']);
  await using visitor = visit(t.relay);
  expect(await visitor.untilEnd()).toMatch(/^HTTP\/1\.1 503 /);
});

test('an answer that has begun waits as long as the device may come back', async () => {
  await using t = await startHome({ awayHoldMs: 50, rejoinWaitMs: 0 });
  await using visitor = visit(t.relay, '/begun');
  await visitor.until(/begun/);
  await using other = visit(t.relay, '/held');
  await expect.poll(() => t.agent.first.opened.length).toBe(2);
  t.agent.first.kill();
  expect(await other.untilEnd()).toMatch(/^HTTP\/1\.1 503 /);
  await t.agent.join(0);
  t.answerHeld();
  expect(await visitor.untilEnd()).toMatch(/late/);
});

test('a session ends some time after its last byte; then the device must log in anew', async () => {
  await using t = await startHome({ sessionKeptMs: 150, rejoinWaitMs: 0 });
  await using visitor = visit(t.relay, '/begun');
  await visitor.until(/begun/);
  t.agent.first.kill();
  expect(await visitor.untilEnd()).not.toMatch(/late/);
  expect(await t.agent.join(0)).toEqual({ type: 'refused', code: 'session.unknown' });
  expect(presence(t.relay)).toEqual(['online', 'connection_lost']);
});

test('a new login replaces the session with all its channels, and is no second device when nobody was connected', async () => {
  const output = new PassThrough();
  await using t = await startHome({ rejoinWaitMs: 60_000 }, pino(output));
  await using held = visit(t.relay, '/held');
  await expect.poll(() => t.agent.wanted).toBe(3);
  await t.agent.join(1);
  for (let turn = 0; turn < 3; turn++) {
    t.agent.first.kill();
    t.agent.carrierOf(1).socket?.destroy();
    await expect.poll(() => t.agent.carrierOf(1).socket).toBeUndefined();
    const newer = await t.relay.connectChannels(t.device, t.key);
    if (turn === 0) expect(await held.untilEnd()).toMatch(/^HTTP\/1\.1 502 /);
    expect(await t.agent.join(1)).toEqual({ type: 'refused', code: 'session.unknown' });
    expect(await served(t.relay)).toBe(true);
    t.agent = newer;
  }
  const log = String(output.read());
  expect(log).not.toMatch(/two devices/);
  await expect.poll(() => presence(t.relay)).toEqual(['online', 'online', 'online', 'online']);
});

test('a login beside a connected agent ends all channels of the older one', async () => {
  await using t = await startHome();
  await using held = visit(t.relay, '/held');
  await expect.poll(() => t.agent.wanted).toBe(3);
  await t.agent.join(1);
  await t.relay.connectChannels(t.device, t.key);
  await t.agent.first.waitClosed();
  expect(await t.agent.first.waitFor('bye')).toMatchObject({ code: 'session.replaced', retryAfterMs: 60_000 });
  await expect.poll(() => t.agent.further.size).toBe(0);
  expect(await held.untilEnd()).toMatch(/^HTTP\/1\.1 502 /);
});

type Home = AsyncDisposable & {
  relay: TestRelay;
  agent: Awaited<ReturnType<TestRelay['connectChannels']>>;
  key: ReturnType<typeof createAgentKey>;
  device: ReturnType<typeof testDevice>;
  /** Ends the answers to `/held` and `/begun`. */
  answerHeld: () => void;
};

async function startHome(
  limits: Partial<RelayLimits> = {},
  log = pino({ level: 'silent' }),
  changes: TestRelayChanges = {},
): Promise<Home> {
  const relay = await startTestRelay(limits, log, changes);
  const held: (() => void)[] = [];
  const service = await startLanService((request, response) => {
    if (request.url === '/') return response.end('served');
    if (request.url === '/begun') response.write('begun');
    held.push(() => response.end('late'));
  });
  const key = createAgentKey();
  const device = testDevice(key, { 'nas.localhost': service.port });
  const agent = await relay.connectChannels(device, key);
  return {
    relay,
    agent,
    key,
    device,
    answerHeld: () => held.splice(0).forEach((answer) => answer()),
    async [Symbol.asyncDispose]() {
      await relay[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

function visit({ relay }: TestRelay, path = '/'): RawClient {
  const visitor = openRawClient(relay.httpPort);
  visitor.send(`GET ${path} HTTP/1.1\r\nHost: nas.localhost\r\nConnection: close\r\n\r\n`);
  return visitor;
}

async function served(relay: TestRelay): Promise<boolean> {
  await using visitor = visit(relay);
  return (await visitor.untilEnd()).endsWith('served');
}

function events({ server }: TestRelay) {
  return server.received.flatMap((message) => (message.type === 'presence' ? message.events : []));
}

/** What the relay has reported of the device: `online`, or why it is not. */
function presence(relay: TestRelay): string[] {
  return events(relay).map((event) => (event.online ? 'online' : event.reason));
}
