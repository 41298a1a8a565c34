import { encodeOpenRequest, type TunnelAddress } from '@tongtu/tunnel';
import { expect, test } from 'vitest';
import type { AgentConfig } from '../agent-config.ts';
import { startAgent } from '../start-agent.ts';
import { readState, setUp, version } from '../testing/agent-setup.ts';
import { startLanService } from '../testing/lan-service.ts';
import { RelayStream } from '../testing/relay-stream.ts';
import { TEST_UID, TestRelay, type TestSession, welcome } from '../testing/test-relay.ts';

const addressesOf = (...relays: TestRelay[]): TunnelAddress[] =>
  relays.map(({ tunnelPort }) => ({ host: '', port: tunnelPort }));

/** Two relays of one server. Each sends agents the addresses of both. */
async function setUpTwo(overrides: Partial<AgentConfig> = {}) {
  const parts = new AsyncDisposableStack();
  const it = parts.use(await setUp(overrides));
  const second = parts.use(await TestRelay.start(it.relay.certificate));
  const welcomeToBoth = () => ({ ...welcome, tunnels: addressesOf(it.relay, second) });
  for (const relay of [it.relay, second]) relay.onLogin = welcomeToBoth;
  return { ...it, first: it.relay, second, welcomeToBoth, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

test('the first relay sends the address of the second, and the device has a tunnel to each', async () => {
  await using it = await setUpTwo();
  await using agent = await startAgent(it.config, it.log);
  expect(await agent.whenOnline()).toEqual({ uid: TEST_UID });

  const enrolled = await it.first.nextSession();
  const known = await it.second.nextSession();

  expect(known.login.hello.publicKey).toBe(enrolled.login.hello.publicKey);
  expect(known.login.isSignatureValid).toBe(true);
  expect(known.login.login).not.toHaveProperty('token');
  expect(it.log.events.filter(({ event }) => event === 'online')).toHaveLength(1);
  const tunnels = addressesOf(it.first, it.second).map(({ port }) => ({ host: '127.0.0.1', port }));
  await expect.poll(() => readState(it.stateDir)).toMatchObject({ tunnels });
});

test('either tunnel carries visitors, and each continues when the other is cut', async () => {
  await using it = await setUpTwo();
  await using service = await startLanService((socket) => socket.end('hello'));
  const target = { mappingId: 7, transport: 'tcp' as const, host: '127.0.0.1', port: service.port };
  for (const relay of [it.first, it.second]) relay.onLogin = () => ({ ...it.welcomeToBoth(), targets: [target] });
  await using agent = await startAgent(it.config, it.log);
  const one = await it.first.nextSession();
  const other = await it.second.nextSession();

  const visit = async ({ mux }: TestSession) => {
    const stream = new RelayStream(mux);
    stream.write(encodeOpenRequest({ ...target, kind: 'tcp', visitorAddress: '203.0.113.7' }));
    await stream.ended;
    return stream.text;
  };
  expect([await visit(one), await visit(other)]).toEqual([
    expect.stringContaining('hello'),
    expect.stringContaining('hello'),
  ]);

  one.cut();
  expect(await visit(other)).toContain('hello');
  expect(await visit(await it.first.nextSession())).toContain('hello');

  expect(await agent.whenOnline()).toEqual({ uid: TEST_UID });
  expect(it.log.events.map(({ event }) => event)).toEqual(['enrolling', 'online']);
});

test('the loss of the last tunnel is logged once, and so is the return', async () => {
  await using it = await setUpTwo();
  await using _agent = await startAgent(it.config, it.log);
  await it.first.nextSession();
  await it.second.nextSession();

  await Promise.all([it.first.stopTunnel(), it.second.stopTunnel()]);
  await it.log.until('offline');
  await it.second.listenTunnel();
  await it.second.nextSession();

  await expect.poll(() => it.log.events.filter(({ event }) => event === 'online')).toHaveLength(2);
  const offline = it.log.events.filter(({ event }) => event === 'offline').map((event) => JSON.stringify(event));
  expect(new Set(offline).size).toBe(offline.length);
});

test('after a restart the device connects to any relay of the last list', async () => {
  await using it = await setUpTwo();
  {
    await using agent = await startAgent(it.config, it.log);
    await agent.whenOnline();
    await it.second.nextSession();
  }
  await it.first.stopTunnel();
  it.first.bootstrap = 503;

  await using agent = await startAgent({ stateDir: it.stateDir, version }, it.log);

  await it.second.nextSession();
  expect(await agent.whenOnline()).toEqual({ uid: TEST_UID });
});

test('a relay that is no longer on the list is left when no stream is open', async () => {
  await using it = await setUpTwo();
  await using service = await startLanService(() => {});
  const target = { mappingId: 7, transport: 'tcp' as const, host: '127.0.0.1', port: service.port };
  it.second.onLogin = () => ({ ...it.welcomeToBoth(), targets: [target] });
  await using agent = await startAgent(it.config, it.log);
  const first = await it.first.nextSession();
  const second = await it.second.nextSession();
  const stream = new RelayStream(second.mux);
  stream.write(encodeOpenRequest({ ...target, kind: 'tcp', visitorAddress: '203.0.113.7' }));
  const connection = await service.nextSocket();

  it.first.onLogin = () => ({ ...welcome, tunnels: addressesOf(it.first) });
  first.cut();
  await it.first.nextSession();
  connection.end('last words');
  await stream.ended;

  expect(stream.text).toContain('last words');
  stream.end();
  expect(await second.nextMessage()).toEqual({ type: 'bye' });
  await second.closed;
  expect(await agent.whenOnline()).toEqual({ uid: TEST_UID });
  const tunnels = [{ host: '127.0.0.1', port: it.first.tunnelPort }];
  await expect.poll(() => readState(it.stateDir)).toMatchObject({ tunnels });
});

test('a list without the dialled address is ignored', async () => {
  await using it = await setUpTwo();
  it.first.onLogin = () => ({ ...welcome, tunnels: addressesOf(it.second) });
  await using agent = await startAgent(it.config, it.log);
  const session = await it.first.nextSession();
  await agent.whenOnline();

  session.cut();
  await it.first.nextSession();

  expect(await agent.whenOnline()).toEqual({ uid: TEST_UID });
  expect(await readState(it.stateDir)).toMatchObject({ tunnels: [] });
});

test('a list of several relays without the dialled address is logged once', async () => {
  await using it = await setUpTwo();
  const elsewhere = [1, 2].map((port) => ({ host: '', port }));
  it.first.onLogin = () => ({ ...welcome, tunnels: elsewhere });
  await using _agent = await startAgent(it.config, it.log);
  const session = await it.first.nextSession();
  const relay = `127.0.0.1:${it.first.tunnelPort}`;
  const expected = { event: 'tunnels-unknown', relay, listed: '127.0.0.1:1 127.0.0.1:2' };
  expect(await it.log.until('tunnels-unknown')).toEqual(expected);

  session.cut();
  await it.first.nextSession();

  await expect.poll(() => it.log.events.filter(({ event }) => event === 'online')).toHaveLength(2);
  expect(it.log.events.filter(({ event }) => event === 'tunnels-unknown')).toHaveLength(1);
});

test('a relay that does not know the new device yet is dialled again, without the token', async () => {
  await using it = await setUpTwo();
  let refusals = 0;
  it.second.onLogin = () =>
    ++refusals <= 2 ? { type: 'refused', code: 'device.unknown', retry: false } : it.welcomeToBoth();
  await using agent = await startAgent(it.config, it.log);

  const session = await it.second.nextSession();

  expect(session.login.login).not.toHaveProperty('token');
  expect(await agent.whenOnline()).toEqual({ uid: TEST_UID });
  expect(it.log.events.map(({ event }) => event)).not.toContain('device-unknown');
});

test('a device that was deleted while offline shows its token to one relay only', async () => {
  await using it = await setUpTwo();
  {
    await using agent = await startAgent(it.config, it.log);
    await agent.whenOnline();
    await it.first.nextSession();
    await it.second.nextSession();
  }
  let enrolments = 0;
  for (const relay of [it.first, it.second]) {
    relay.onLogin = ({ login }) => {
      if (login.token !== undefined) enrolments++;
      return enrolments === 0 ? { type: 'refused', code: 'device.unknown', retry: false } : it.welcomeToBoth();
    };
  }
  await using _agent = await startAgent(it.config, it.log);
  await it.first.nextSession();
  await it.second.nextSession();

  expect(enrolments).toBe(1);
});

test('the deletion of the device ends all tunnels, whichever receives the bye', async () => {
  await using it = await setUpTwo();
  await using agent = await startAgent(it.config, it.log);
  const first = await it.first.nextSession();
  const second = await it.second.nextSession();

  second.send({ type: 'bye', code: 'device.removed', retryAfterMs: null });

  expect(await agent.finished).toMatchObject({ error: { code: 'device.removed', exitCode: 4 } });
  expect(await first.nextMessage()).toEqual({ type: 'bye' });
});

test('a refusal by one relay does not end an agent that is connected to another', async () => {
  await using it = await setUpTwo();
  let refusals = 0;
  it.second.onLogin = () =>
    ++refusals <= 2 ? { type: 'refused', code: 'protocol.unsupported', retry: false } : it.welcomeToBoth();
  await using agent = await startAgent(it.config, it.log);

  await it.second.nextSession();

  expect(await agent.whenOnline()).toEqual({ uid: TEST_UID });
});

test('a second relay that cannot be reached is logged once, with its address', async () => {
  await using it = await setUpTwo();
  await it.second.stopTunnel();
  await using agent = await startAgent(it.config, it.log);
  await agent.whenOnline();

  expect(await it.log.until('tunnel-unreachable')).toEqual({
    event: 'tunnel-unreachable',
    relay: `127.0.0.1:${it.second.tunnelPort}`,
    reason: 'ECONNREFUSED',
  });
  expect(it.first.bootstrapCount).toBe(1);
});

test('a stop sends bye to every relay', async () => {
  await using it = await setUpTwo();
  const agent = await startAgent(it.config, it.log);
  const sessions = [await it.first.nextSession(), await it.second.nextSession()];

  await agent[Symbol.asyncDispose]();

  for (const session of sessions) expect(await session.nextMessage()).toEqual({ type: 'bye' });
  expect(await agent.finished).toEqual({ type: 'stopped' });
});
