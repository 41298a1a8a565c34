import { encodeOpenRequest, type RelayMessage } from '@tongtu/tunnel';
import { expect, test } from 'vitest';
import { startAgent } from './start-agent.ts';
import { readState, setUp, version } from './testing/agent-setup.ts';
import { startLanService } from './testing/lan-service.ts';
import { RelayStream } from './testing/relay-stream.ts';
import { TEST_UID, welcome } from './testing/test-relay.ts';

test('the first start enrols with the token, proves its key and stores its identity', async () => {
  await using it = await setUp({ name: '客厅的路由器' });
  await using agent = await startAgent(it.config, it.log);

  const { login } = await it.relay.nextSession();

  expect(await agent.whenOnline()).toEqual({ uid: TEST_UID });
  expect(login.isSignatureValid).toBe(true);
  expect(login.login).toMatchObject({ token: 'tt_good', name: '客厅的路由器' });
  expect(await readState(it.stateDir)).toMatchObject({ uid: TEST_UID, relayPin: it.relay.certificate.pin });
});

test('a later start needs only the state folder, and does not send the token', async () => {
  await using it = await setUp();
  {
    await using agent = await startAgent(it.config, it.log);
    await agent.whenOnline();
  }
  const first = (await it.relay.nextSession()).login;
  it.relay.bootstrap = 500;

  await using agent = await startAgent({ stateDir: it.stateDir, version }, it.log);
  expect(await agent.whenOnline()).toEqual({ uid: TEST_UID });

  const second = (await it.relay.nextSession()).login;
  expect(second.hello.publicKey).toBe(first.hello.publicKey);
  expect(second.login).not.toHaveProperty('token');
});

test('the key is stored before it is sent, so that a lost answer does not create a second device', async () => {
  await using it = await setUp();
  it.relay.onLogin = () => ({ type: 'refused', code: 'server.unavailable', retry: true });
  let key: string;
  {
    await using _agent = await startAgent(it.config, it.log);
    await it.log.until('offline');
    key = (await readState(it.stateDir)).privateKey;
  }
  it.relay.onLogin = () => welcome;
  await using agent = await startAgent(it.config, it.log);
  await agent.whenOnline();
  expect((await readState(it.stateDir)).privateKey).toBe(key);
});

test('after a cut connection the agent reconnects as the same device', async () => {
  await using it = await setUp();
  await using agent = await startAgent(it.config, it.log);
  const first = await it.relay.nextSession();
  await agent.whenOnline();

  first.cut();

  const second = await it.relay.nextSession();
  expect(second.login.hello.publicKey).toBe(first.login.hello.publicKey);
  expect(second.login.login).not.toHaveProperty('token');
  expect(await agent.whenOnline()).toEqual({ uid: TEST_UID });
});

test('the agent reconnects after a restart of the relay, and logs the loss once', async () => {
  await using it = await setUp();
  await using agent = await startAgent(it.config, it.log);
  await agent.whenOnline();
  await it.relay.stopTunnel();
  await it.log.until('offline');

  await it.relay.listenTunnel();
  await it.relay.nextSession();
  await it.relay.nextSession();

  expect(await agent.whenOnline()).toEqual({ uid: TEST_UID });
  const offline = it.log.events.filter(({ event }) => event === 'offline');
  expect(new Set(offline.map((event) => JSON.stringify(event))).size).toBe(offline.length);
});

test('a relay that has moved is found through the server', async () => {
  await using it = await setUp();
  await using agent = await startAgent(it.config, it.log);
  await agent.whenOnline();
  await it.relay.nextSession();
  await it.relay.stopTunnel();
  await it.relay.listenTunnel(0);
  it.relay.bootstrap = it.relay.truth();

  await it.relay.nextSession();

  expect(await it.log.until('relay-moved')).toEqual({
    event: 'relay-moved',
    relay: `127.0.0.1:${it.relay.tunnelPort}`,
  });
  expect(await readState(it.stateDir)).toMatchObject({ tunnelPort: it.relay.tunnelPort });
});

test('after a bye the agent reconnects when the relay asked it to', async () => {
  await using it = await setUp();
  await using agent = await startAgent(it.config, it.log);
  const session = await it.relay.nextSession();
  session.send({ type: 'bye', code: 'relay.stopping', retryAfterMs: 1 });
  await it.relay.nextSession();
  expect(await agent.whenOnline()).toEqual({ uid: TEST_UID });
});

test('a silent connection is closed', async () => {
  await using it = await setUp();
  let monotonicMs = 0;
  it.relay.onLogin = () => ({ ...welcome, heartbeatMs: 100 });
  await using _agent = await startAgent({ ...it.config, monotonicMs: () => monotonicMs }, it.log);
  const session = await it.relay.nextSession();
  await it.log.until('online');
  // Stops the relay's replies, so that the open connection is silent.
  session.mux.receive = () => {};
  monotonicMs = 299; // less than three heartbeats
  expect(await it.log.until('offline')).toMatchObject({ reason: 'silent' });
});

test('after an outage, the loss of a connection of a few seconds is followed by an immediate reconnection', async () => {
  await using it = await setUp();
  let monotonicMs = 0;
  // Fixed values instead of random ones: no pauses during the outage, and the longest possible ones after it.
  let chance = -1;
  let retries = 0;
  const random = () => (retries++, chance);
  await using agent = await startAgent({ ...it.config, random, monotonicMs: () => monotonicMs }, it.log);
  await agent.whenOnline();
  await it.relay.nextSession();
  await it.relay.stopTunnel();
  await expect.poll(() => retries).toBeGreaterThan(8);
  await it.relay.listenTunnel();
  const session = await it.relay.nextSession();
  await agent.whenOnline();

  chance = 1;
  monotonicMs += 5_000;
  session.cut();

  await it.relay.nextSession();
});

test('stopping sends bye and unlocks the folder', async () => {
  await using it = await setUp();
  const agent = await startAgent(it.config, it.log);
  const session = await it.relay.nextSession();
  await agent.whenOnline();

  await agent[Symbol.asyncDispose]();

  expect(await session.nextMessage()).toEqual({ type: 'bye' });
  expect(await agent.finished).toEqual({ type: 'stopped' });
  await using _next = await startAgent(it.config, it.log);
});

test('a server that cannot be reached at first is asked again until it answers', async () => {
  await using it = await setUp();
  it.relay.bootstrap = 503;
  await using agent = await startAgent(it.config, it.log);
  expect(await it.log.until('server-unreachable')).toMatchObject({ reason: 'status_503' });
  it.relay.bootstrap = it.relay.truth();
  expect(await agent.whenOnline()).toEqual({ uid: TEST_UID });
});

test('unknown messages and probes of a newer relay do not end the connection, and hello lists the known features', async () => {
  await using it = await setUp();
  const target = { mappingId: 7, host: '127.0.0.1', port: 9, transport: 'tcp' as const };
  it.relay.onLogin = () => ({ ...welcome, targets: [target] });
  await using _agent = await startAgent(it.config, it.log);
  const session = await it.relay.nextSession();
  expect(session.login.hello.features).toEqual([
    'tcp-probe',
    'udp',
    'tls-verified',
    'marks-answers',
    'wake',
    'discovery',
    'diagnose',
    'tls-name',
    'tls-h2',
    'channels',
    'measure',
  ]);
  // A message that this agent does not know.
  session.send({ type: 'surprise' } as unknown as RelayMessage);
  session.send({ type: 'probe', correlation: 1, protocol: 'quic', ...target });
  expect(await session.nextMessage()).toMatchObject({ correlation: 1, ok: false, seen: 'unsupported' });
  session.send({ type: 'probe', correlation: 2, protocol: 'tcp', ...target });
  expect(await session.nextMessage()).toMatchObject({ correlation: 2, seen: 'refused' });
});

test('a machine that the relay wants woken is answered for, and an address of no network card is refused', async () => {
  await using it = await setUp();
  await using _agent = await startAgent(it.config, it.log);
  const session = await it.relay.nextSession();
  session.send({ type: 'wake', correlation: 4, mac: 'ff:ff:ff:ff:ff:ff' });
  expect(await session.nextMessage()).toMatchObject({ type: 'probe_result', correlation: 4, seen: 'not_possible' });
});

test('a relay that measures the line gets what was sent since the last time, or nothing where the system says nothing', async () => {
  await using it = await setUp();
  await using agent = await startAgent(it.config, it.log);
  const session = await it.relay.nextSession();
  await agent.whenOnline();
  const measure = async () => {
    session.send({ type: 'measure' });
    const message = await session.nextMessage();
    if (message.type !== 'measured') throw new Error(message.type);
    return message;
  };
  const first = await measure();
  expect(first.retransmittedBytes).toBe(0);
  // The first one counts the handshake and the login, the second hardly more than the first answer.
  const second = await measure();
  if (first.sentBytes > 0) expect(second.sentBytes).toBeLessThan(first.sentBytes);
});

test('a relay that asks for a diagnosis gets what this agent finds out, in words and without secrets', async () => {
  await using it = await setUp();
  const { env = {} } = it.config;
  await using agent = await startAgent(
    { ...it.config, env: { ...env, HTTPS_PROXY: 'http://li:geheim@proxy' } },
    it.log,
  );
  const session = await it.relay.nextSession();
  await agent.whenOnline();
  session.send({ type: 'diagnose', correlation: 6 });
  const message = await session.nextMessage();
  if (message.type !== 'diagnosis') throw new Error(message.type);
  expect(message).toMatchObject({
    correlation: 6,
    report: {
      agentVersion: it.config.version,
      proxies: [{ name: 'HTTPS_PROXY', value: 'http://***@proxy' }],
      server: { ok: true, text: 'HTTP 200' },
      relays: [{ name: `127.0.0.1:${it.relay.tunnelPort}`, ok: true, text: 'TLS' }],
      connections: [{ name: `127.0.0.1:${it.relay.tunnelPort}` }],
      bbr: { ok: true },
    },
  });
  expect(message.report.history.at(-1)?.text).toContain(`已上线，设备 ID ${TEST_UID}`);
  expect(JSON.stringify(message)).not.toContain('geheim');
});

test('a visitor is served through the tunnel, and a probe of the same target succeeds', async () => {
  await using it = await setUp();
  await using service = await startLanService((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\n\r\n')),
  );
  const target = { mappingId: 7, host: '127.0.0.1', port: service.port, transport: 'tcp' as const };
  it.relay.onLogin = () => ({ ...welcome, targets: [target] });
  await using _agent = await startAgent(it.config, it.log);
  const session = await it.relay.nextSession();

  const stream = new RelayStream(session.mux);
  stream.write(
    Buffer.concat([encodeOpenRequest({ ...target, kind: 'tcp', visitorAddress: '203.0.113.7' }), Buffer.from('GET /')]),
  );
  await stream.ended;
  expect(stream.text).toContain('204');

  session.send({ type: 'probe', correlation: 3, protocol: 'http', ...target });
  expect(await session.nextMessage()).toMatchObject({
    type: 'probe_result',
    correlation: 3,
    ok: true,
    step: 'http',
    seen: 'status_204',
  });

  session.send({ type: 'targets', targets: [] });
  session.send({ type: 'probe', correlation: 4, protocol: 'http', ...target });
  expect(await session.nextMessage()).toMatchObject({
    correlation: 4,
    ok: false,
    step: 'dns_lan',
    seen: 'not_allowed',
  });
});
