import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { PassThrough } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { type MappingOptions, optionNames, type Route, type ServerToRelay } from '@tongtu/contract';
import { pino } from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { defaultRelayLimits } from '../config/relay-limits.ts';
import { openRawClient } from '../testing/clients/raw-client.ts';
import {
  createAgentKey,
  startLanService,
  startTestRelay,
  testDevice,
  type TestRelay,
} from '../testing/start-test-relay.ts';

afterEach(() => void vi.useRealTimers());

test('a device that proves its key gets a welcome with its targets, and the server gets its presence', async () => {
  await using t = await startTestRelay();
  const key = createAgentKey();
  const device = testDevice(key, { 'nas.localhost': 5000 });
  const agent = await t.connectDevice(device, key);
  const welcome = await agent.waitFor('welcome');
  expect(welcome).toMatchObject({ uid: device.uid, heartbeatMs: 6000 });
  expect(welcome.targets).toEqual([
    { mappingId: device.routes[0]?.mappingId, host: '127.0.0.1', port: 5000, transport: 'tcp' },
  ]);
  const { events } = await t.server.waitFor('presence');
  expect(events).toEqual([
    {
      online: true,
      deviceId: device.deviceId,
      epoch: welcome.epoch,
      atMs: expect.any(Number),
      publicIp: '127.0.0.1',
      agentVersion: '0.0.0',
      platform: 'test',
    },
  ]);
});

describe('an invalid login is refused with its code', () => {
  test('another protocol', async () => {
    await using t = await startTestRelay();
    const agent = t.openAgent({ key: createAgentKey(), protocol: 99 });
    expect(await agent.waitFor('refused')).toMatchObject({ code: 'protocol.unsupported', retry: false });
    await agent.waitClosed();
  });
  test('an unknown key without a token', async () => {
    await using t = await startTestRelay();
    const agent = t.openAgent({ key: createAgentKey() });
    expect(await agent.waitFor('refused')).toMatchObject({ code: 'device.unknown', retry: false });
  });
  test('a signature by another key', async () => {
    await using t = await startTestRelay();
    const key = createAgentKey();
    t.server.put(testDevice(key, {}));
    const agent = t.openAgent({ key, signWith: createAgentKey().privateKey });
    expect(await agent.waitFor('refused')).toMatchObject({ code: 'login.bad-signature', retry: false });
  });
  test.each([
    ['enrolment.token-invalid', false],
    ['enrolment.key-in-use', false],
    ['device.limit-reached', false],
    ['request.too-many', true],
    ['server.unavailable', true],
  ])('%s of the server', async (code, retry) => {
    await using t = await startTestRelay();
    t.server.handlers.enrol = () => code;
    const agent = t.openAgent({ key: createAgentKey(), token: 't' });
    expect(await agent.waitFor('refused')).toMatchObject({ code, retry });
    await agent.waitClosed();
  });
  test('a server that is away', async () => {
    await using t = await startTestRelay();
    await t.server[Symbol.asyncDispose]();
    const agent = t.openAgent({ key: createAgentKey(), token: 't' });
    expect(await agent.waitFor('refused')).toMatchObject({ code: 'server.unavailable', retry: true });
  });
});

test('the server enrols an unknown key with a token, and the device works at once', async () => {
  await using t = await startTestRelay();
  await using lan = await startLanService((_request, response) => response.end('lan'));
  const key = createAgentKey();
  const device = testDevice(key, { 'new.localhost': lan.port });
  t.server.handlers.enrol = ({ token, publicKey, name }) =>
    token === 'right' && publicKey === key.publicKey && name === 'test' ? device : 'enrolment.token-invalid';
  const agent = t.openAgent({ key, token: 'right' });
  await agent.waitFor('welcome');
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send('GET / HTTP/1.1\r\nHost: new.localhost\r\n\r\n');
  expect(await visitor.until(/lan$/)).toMatch(/^HTTP\/1\.1 200 /);
});

test('a newer connection of a device replaces the older one, with a higher epoch', async () => {
  await using t = await startTestRelay();
  await using lan = await startLanService((_request, response) => response.end('lan'));
  const key = createAgentKey();
  const device = testDevice(key, { 'nas.localhost': lan.port });
  const older = await t.connectDevice(device, key);
  const newer = t.openAgent({ key });
  const { epoch } = await newer.waitFor('welcome');
  expect(epoch).toBeGreaterThan((await older.waitFor('welcome')).epoch);
  expect(await older.waitFor('bye')).toMatchObject({ code: 'session.replaced' });
  await older.waitClosed();
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
  await visitor.until(/lan$/);
  expect([older.opened.length, newer.opened.length]).toEqual([0, 1]);
  newer.kill();
  const { events } = await t.server.waitFor('presence', (message) => message.events.some((event) => !event.online));
  // The end of the older one is not reported: only the newest connection counts for the device.
  expect(events.filter((event) => !event.online)).toEqual([
    { online: false, deviceId: device.deviceId, epoch, atMs: expect.any(Number), reason: 'connection_lost' },
  ]);
});

test('agents with one identity must wait longer each time, and the log names their addresses', async () => {
  const log = new PassThrough();
  await using t = await startTestRelay({}, pino(log));
  const key = createAgentKey();
  const device = testDevice(key, {});
  let older = await t.connectDevice(device, key);
  const waits: Array<number | null> = [];
  for (let turn = 0; turn < 4; turn++) {
    const newer = t.openAgent({ key });
    waits.push((await older.waitFor('bye')).retryAfterMs);
    older = newer;
    await newer.waitFor('welcome');
  }
  expect(waits).toEqual([60_000, 300_000, 1_800_000, 1_800_000]);
  const lines = String(log.read())
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  const warning = { level: 40, deviceId: device.deviceId, olderIp: '127.0.0.1', newerIp: '127.0.0.1' };
  expect(lines).toContainEqual(expect.objectContaining({ ...warning, retryAfterMs: 300_000 }));
});

test('a disabled device stays connected with no allowed target, and works at once when it is enabled', async () => {
  await using t = await startTestRelay();
  await using lan = await startLanService((_request, response) => void response.end('lan'));
  const key = createAgentKey();
  const device = testDevice(key, { 'nas.localhost': lan.port });
  t.server.put({ ...device, enabled: false });
  const agent = t.openAgent({ key });
  expect((await agent.waitFor('welcome')).targets).toEqual([]);

  t.server.put(device);
  expect((await agent.waitFor('targets')).targets).toHaveLength(1);
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
  await visitor.until(/lan$/);
  t.server.put({ ...device, enabled: false });

  await expect.poll(() => agent.messages.at(-1)).toEqual({ type: 'targets', targets: [] });
  visitor.clear();
  visitor.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
  await visitor.until(/^HTTP\/1\.1 403 /);
});

test('a suspended device is cut off with its visitors, is refused, and works again when it is not', async () => {
  await using t = await startTestRelay();
  await using lan = await startLanService((_request, response) => void response.write('begins'));
  const key = createAgentKey();
  const device = testDevice(key, { 'nas.localhost': lan.port });
  const agent = await t.connectDevice(device, key);
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
  await visitor.until(/begins/);

  t.server.put({ ...device, enabled: false, isSuspended: true });
  expect(await agent.waitFor('bye')).toMatchObject({ code: 'user.disabled', retryAfterMs: 10_000 });
  await agent.waitClosed();
  await visitor.untilEnd();
  const { events } = await t.server.waitFor('presence', (message) => message.events.some((event) => !event.online));
  expect(events).toContainEqual(expect.objectContaining({ online: false, reason: 'account_disabled' }));
  const refused = t.openAgent({ key });
  expect(await refused.waitFor('refused')).toMatchObject({ code: 'user.disabled', retry: true });

  t.server.put(device);
  await t.openAgent({ key }).waitFor('welcome');
});

describe('a device gets a bye', () => {
  test('without a retry when it is removed', async () => {
    await using t = await startTestRelay();
    const key = createAgentKey();
    const device = testDevice(key, { 'nas.localhost': 1 });
    const agent = await t.connectDevice(device, key);
    t.server.remove(device.deviceId);
    expect(await agent.waitFor('bye')).toMatchObject({ code: 'device.removed', retryAfterMs: null });
    await agent.waitClosed();
  });
  test('when the relay stops', async () => {
    await using t = await startTestRelay();
    const key = createAgentKey();
    const agent = await t.connectDevice(testDevice(key, {}), key);
    await t.relay[Symbol.asyncDispose]();
    expect(await agent.waitFor('bye')).toMatchObject({ code: 'relay.stopping' });
    const { events } = await t.server.waitFor('presence', (message) => message.events.some((event) => !event.online));
    expect(events.at(-1)).toMatchObject({ online: false, reason: 'relay_stopped' });
  });
});

test('changed routes reach the agent, and connections to the old target are cut', async () => {
  await using t = await startTestRelay();
  await using old = await startLanService((_request, response) => void response.write('old'));
  await using fresh = await startLanService((_request, response) => response.end('fresh'));
  const key = createAgentKey();
  const device = testDevice(key, { 'nas.localhost': old.port });
  const agent = await t.connectDevice(device, key);
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
  await visitor.until(/old/);
  t.server.put({ ...device, routes: device.routes.map((route) => ({ ...route, targetPort: fresh.port })) });
  expect((await agent.waitFor('targets')).targets).toMatchObject([{ port: fresh.port }]);
  await visitor.untilEnd();
  await using again = openRawClient(t.relay.httpPort);
  again.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
  expect(await again.until(/fresh/)).toContain('fresh');
});

const otherOptions: MappingOptions = {
  tlsPassthrough: true,
  verifyTls: true,
  proxyProtocol: true,
  hostHeader: 'rewrite',
  hostName: 'nas.lan',
  visitorFields: 'omit',
  forwardedProto: 'https',
  originFields: 'keep',
  tlsName: 'nas.lan',
  answerTimeoutS: 10,
  silenceTimeoutS: 30,
  visitLogDays: 7,
};

/** The others change nothing about how connections are passed on. */
const cuttingOptions = optionNames.filter(
  (name) => !['visitLogDays', 'answerTimeoutS', 'silenceTimeoutS'].includes(name),
);

test.each(cuttingOptions)('a change of %s cuts the connections that run without it', async (name) => {
  await using t = await startTestRelay();
  await using service = await startLanService((_request, response) => void response.write('begun'));
  const key = createAgentKey();
  const device = testDevice(key, { 'nas.localhost': service.port });
  await t.connectDevice(device, key);
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
  await visitor.until(/begun/);
  t.server.put({ ...device, routes: device.routes.map((route) => ({ ...route, [name]: otherOptions[name] })) });
  await visitor.untilEnd();
});

test('a device with more targets than one message holds gets those that fit, and slows nobody', async () => {
  await using t = await startTestRelay();
  const [key, otherKey] = [createAgentKey(), createAgentKey()];
  const device = testDevice(key, { 'nas.localhost': 1 });
  const agent = await t.connectDevice(device, key);
  const [route] = device.routes;
  if (route === undefined) throw new Error('the device has a route');
  const routes = Array.from({ length: 5_000 }, (_, index) => ({
    ...route,
    mappingId: 1_000_000 + index,
    host: `h${index}.localhost`,
    targetHost: `${index}.`.padEnd(253, 'x'),
  }));
  t.server.put({ ...device, routes });
  const sent = (await agent.waitFor('targets')).targets;
  expect(sent.length).toBeGreaterThan(3_000);
  expect(sent.map((target) => target.host)).toEqual(routes.slice(0, sent.length).map(({ targetHost }) => targetHost));
  await t.connectDevice(testDevice(otherKey, { 'other.localhost': 1 }), otherKey);
  const again = t.openAgent({ key });
  expect((await again.waitFor('welcome')).targets).toHaveLength(sent.length);
  expect(t.server.received.filter((message) => message.type === 'hello')).toHaveLength(1);
});

test('a silent device is taken for lost', async () => {
  await using t = await startTestRelay({ heartbeatMs: 20, heartbeatLostMs: 100 });
  const key = createAgentKey();
  const agent = await t.connectDevice(testDevice(key, {}), key);
  agent.freeze();
  const { events } = await t.server.waitFor('presence', (message) => message.events.some((event) => !event.online));
  expect(events.at(-1)).toMatchObject({ online: false, reason: 'no_heartbeat' });
});

test('a silent device is lost at the end of the heartbeat time, not at the next ping', async () => {
  await using t = await startTestRelay({ heartbeatMs: 60_000, heartbeatLostMs: 50 });
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, {}), key);
  const { events } = await t.server.waitFor('presence', (message) => message.events.some((event) => !event.online));
  expect(events.at(-1)).toMatchObject({ online: false, reason: 'no_heartbeat' });
});

test('a relay that has stood still does not take its devices for lost', async () => {
  await using t = await startTestRelay({ heartbeatMs: 20, heartbeatLostMs: 300 });
  const key = createAgentKey();
  const agent = await t.connectDevice(testDevice(key, {}), key);
  const until = performance.now() + 400;
  while (performance.now() < until);
  await setTimeout(50);
  expect(agent.isClosed).toBe(false);
});

test('by default a silent device is offline before 15 seconds have passed, and one late ping is not enough', () => {
  const { heartbeatMs, heartbeatLostMs, heartbeatCheckMs } = defaultRelayLimits;
  expect(heartbeatLostMs + heartbeatCheckMs).toBeLessThan(14_000);
  expect(heartbeatLostMs).toBeGreaterThan(2 * heartbeatMs);
});

test('an agent that says goodbye is not taken for lost', async () => {
  await using t = await startTestRelay();
  const key = createAgentKey();
  const agent = await t.connectDevice(testDevice(key, {}), key);
  agent.send({ type: 'bye' });
  const { events } = await t.server.waitFor('presence', (message) => message.events.some((event) => !event.online));
  expect(events.at(-1)).toMatchObject({ online: false, reason: 'agent_stopped' });
});

const mac = 'd8:bb:c1:0a:2f:e4';

/** Sends a request of the server and returns its result. */
async function resultOf(t: TestRelay, request: Extract<ServerToRelay, { type: 'wake' | 'probe' }>) {
  t.server.send(request);
  const { correlation } = request;
  return (await t.server.waitFor('probe_result', (message) => message.correlation === correlation)).result;
}

describe('a machine that the server wants woken', () => {
  test('is woken by the agent, which answers', async () => {
    await using t = await startTestRelay();
    const key = createAgentKey();
    const device = testDevice(key, {});
    const agent = await t.connectDevice(device, key, {
      onProbe: ({ correlation }) => ({
        ...{ type: 'probe_result', correlation, ok: true, step: 'udp', ms: 2, seen: 'sent' },
      }),
    });
    const result = await resultOf(t, { type: 'wake', correlation: 5, deviceId: device.deviceId, mac });
    expect(result).toEqual({ ok: true, step: 'udp', ms: 2, seen: 'sent' });
    expect(await agent.waitFor('wake')).toEqual({ type: 'wake', correlation: expect.any(Number), mac });
  });
  test('is not asked of an agent of before, of none, and of a disabled device', async () => {
    await using t = await startTestRelay();
    const wake = async (correlation: number, deviceId: number) =>
      await resultOf(t, { type: 'wake', correlation, deviceId, mac });
    const oldKey = createAgentKey();
    const old = testDevice(oldKey, {});
    const agent = await t.connectDevice(old, oldKey, { features: ['tcp-probe', 'udp'] });
    expect(await wake(1, old.deviceId)).toMatchObject({ step: 'agent', seen: 'outdated' });
    expect(await wake(2, 999_999)).toMatchObject({ step: 'agent', seen: 'offline' });
    const key = createAgentKey();
    const disabled = { ...testDevice(key, {}), enabled: false };
    const other = await t.connectDevice(disabled, key);
    expect(await wake(3, disabled.deviceId)).toMatchObject({ step: 'relay', seen: 'no_route' });
    expect([...agent.messages, ...other.messages].filter(({ type }) => type === 'wake')).toEqual([]);
  });
});

describe('a probe of the server', () => {
  test('is answered by the agent', async () => {
    await using t = await startTestRelay();
    const key = createAgentKey();
    const device = testDevice(key, { 'nas.localhost': 80 });
    const mappingId = device.routes[0]?.mappingId ?? 0;
    await t.connectDevice(device, key, {
      onProbe: ({ correlation }) => ({
        ...{ type: 'probe_result', correlation, ok: true, step: 'http', ms: 3, seen: 'status_200' },
      }),
    });
    const result = await resultOf(t, { type: 'probe', correlation: 9, deviceId: device.deviceId, mappingId });
    expect(result).toEqual({ ok: true, step: 'http', ms: 3, seen: 'status_200' });
  });
  test.each<[string, Partial<Route>]>([
    ['TCP', { kind: 'tcp' }],
    ['UDP', { kind: 'udp' }],
    ['a service whose certificate is checked', { kind: 'https', verifyTls: true }],
  ])('of %s is not sent to an agent that does not support it, and says so', async (_what, route) => {
    await using t = await startTestRelay();
    const key = createAgentKey();
    const device = testDevice(key, { 'nas.localhost': 80 }, route);
    const mappingId = device.routes[0]?.mappingId ?? 0;
    const agent = await t.connectDevice(device, key, { features: [] });
    const result = await resultOf(t, { type: 'probe', correlation: 1, deviceId: device.deviceId, mappingId });
    expect(result).toEqual({ ok: false, step: 'agent', ms: 0, seen: 'outdated' });
    expect(agent.messages.filter(({ type }) => type === 'probe')).toEqual([]);
  });
  test('that an agent cannot answer says that the agent is too old', async () => {
    await using t = await startTestRelay();
    const key = createAgentKey();
    const device = testDevice(key, { 'nas.localhost': 80 });
    const mappingId = device.routes[0]?.mappingId ?? 0;
    await t.connectDevice(device, key, {
      onProbe: ({ correlation }) => ({
        ...{ type: 'probe_result', correlation, ok: false, step: 'tcp', ms: 0, seen: 'unsupported' },
      }),
    });
    const result = await resultOf(t, { type: 'probe', correlation: 1, deviceId: device.deviceId, mappingId });
    expect(result).toEqual({ ok: false, step: 'agent', ms: 0, seen: 'outdated' });
  });
  test('asks for the certificate where visitors need a valid one', async () => {
    await using t = await startTestRelay();
    const key = createAgentKey();
    const device = testDevice(key, { 'nas.localhost': 80 }, { kind: 'https', verifyTls: true });
    const mappingId = device.routes[0]?.mappingId ?? 0;
    const agent = await t.connectDevice(device, key);
    t.server.send({ type: 'probe', correlation: 1, deviceId: device.deviceId, mappingId });
    expect(await agent.waitFor('probe')).toMatchObject({ protocol: 'https', verifyTls: true });
  });
  test('of a cloud app tries its target over TCP', async () => {
    await using t = await startTestRelay();
    const key = createAgentKey();
    const device = { ...testDevice(key, {}), apps: [{ appId: 71, targetHost: '192.168.1.20', targetPort: 445 }] };
    const agent = await t.connectDevice(device, key);
    t.server.send({ type: 'probe', correlation: 1, deviceId: device.deviceId, mappingId: 71 });
    expect(await agent.waitFor('probe')).toMatchObject({ mappingId: 71, protocol: 'tcp', port: 445 });
  });
  test('is answered without an agent, without an answer of the agent, and without a mapping', async () => {
    await using t = await startTestRelay({ probeTimeoutMs: 30 });
    const key = createAgentKey();
    const device = testDevice(key, { 'nas.localhost': 80 });
    const mappingId = device.routes[0]?.mappingId ?? 0;
    const probe = async (correlation: number, ofMapping: number) =>
      await resultOf(t, { type: 'probe', correlation, deviceId: device.deviceId, mappingId: ofMapping });
    expect(await probe(1, mappingId)).toMatchObject({ step: 'agent', seen: 'offline' });
    await t.connectDevice(device, key);
    expect(await probe(2, mappingId)).toMatchObject({ step: 'agent', seen: 'timeout' });
    expect(await probe(3, 999_999)).toMatchObject({ step: 'relay', seen: 'no_route' });
  });
});

describe('a client that is no agent is disconnected', () => {
  const tlsTo = (port: number) =>
    connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, minVersion: 'TLSv1.3' });
  /** Resolves when the relay has closed the connection. */
  async function closed(socket: ReturnType<typeof connectTcp>): Promise<void> {
    socket.on('error', () => {});
    socket.resume();
    // Not `once`, because an error may also end the connection.
    if (!socket.closed) await new Promise((resolve) => socket.on('close', resolve));
  }
  test('garbage in place of TLS', async () => {
    await using t = await startTestRelay();
    const socket = connectTcp(t.relay.tunnelPort, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await closed(socket);
  });
  test('half a TLS handshake and silence', async () => {
    await using t = await startTestRelay({ tunnelHandshakeTimeoutMs: 50 });
    const socket = connectTcp(t.relay.tunnelPort, '127.0.0.1');
    socket.write(Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc]));
    await closed(socket);
  });
  test('garbage in place of frames', async () => {
    await using t = await startTestRelay();
    const socket = tlsTo(t.relay.tunnelPort);
    socket.write(Buffer.alloc(64, 0xff));
    await closed(socket);
  });
  test('half a frame and silence', async () => {
    await using t = await startTestRelay({ loginTimeoutMs: 50 });
    const socket = tlsTo(t.relay.tunnelPort);
    socket.write(Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 0]));
    await closed(socket);
  });
  test('half a login and silence', async () => {
    await using t = await startTestRelay();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const agent = t.openAgent({ key: createAgentKey(), token: 't', isMute: true });
    await agent.waitFor('challenge');
    vi.advanceTimersByTime(defaultRelayLimits.loginTimeoutMs);
    vi.useRealTimers();
    await agent.waitClosed();
  });
  test('a message out of turn', async () => {
    await using t = await startTestRelay();
    const agent = t.openAgent({ key: createAgentKey(), token: 't' });
    agent.send({ type: 'probe_result', correlation: 1, ok: true, step: 'tcp', ms: 1, seen: '' });
    await agent.waitClosed();
    expect(agent.messages.map((message) => message.type)).not.toContain('welcome');
  });
  test('a message that is over-long by its own account', async () => {
    await using t = await startTestRelay();
    const socket = tlsTo(t.relay.tunnelPort);
    const length = Buffer.from([0x7f, 0xff, 0xff, 0xff]);
    socket.write(Buffer.concat([Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 4]), length]));
    await closed(socket);
  });
  test('TLS older than 1.3', async () => {
    await using t = await startTestRelay();
    const socket = connectTls({
      port: t.relay.tunnelPort,
      host: '127.0.0.1',
      rejectUnauthorized: false,
      maxVersion: 'TLSv1.2',
    });
    await closed(socket);
  });
  test('too many clients without a login from one address, while devices stay', async () => {
    await using t = await startTestRelay({ maxUnauthenticatedPerIp: 2 });
    const key = createAgentKey();
    const device = await t.connectDevice(testDevice(key, {}), key);
    const clients = [connectTcp(t.relay.tunnelPort, '127.0.0.1'), connectTcp(t.relay.tunnelPort, '127.0.0.1')];
    await Promise.all(clients.map((socket) => once(socket, 'connect')));
    await closed(connectTcp(t.relay.tunnelPort, '127.0.0.1'));
    expect(device.isClosed).toBe(false);
    for (const socket of clients) socket.destroy();
  });
});

test('an agent that answers an open request with an invalid status is disconnected, and the visitor gets an error', async () => {
  await using t = await startTestRelay();
  const key = createAgentKey();
  const agent = await t.connectDevice(testDevice(key, { 'nas.localhost': 1 }), key, { onOpen: () => 'nonsense' });
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\nConnection: close\r\n\r\n');
  expect(await visitor.untilEnd()).toMatch(/^HTTP\/1\.1 502 /);
  await agent.waitClosed();
});
