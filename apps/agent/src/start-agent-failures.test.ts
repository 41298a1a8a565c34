import { rmSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startAgent } from './start-agent.ts';
import { readState, setUp, version } from './testing/agent-setup.ts';
import { TEST_UID, TestRelay, welcome } from './testing/test-relay.ts';

/** Another server takes the relay's port, as after an address change or in an intercepted network. */
async function replaceByOtherRelay(relay: TestRelay) {
  const other = await TestRelay.start();
  await other.stopTunnel();
  await relay.stopTunnel();
  await other.listenTunnel(relay.tunnelPort);
  return other;
}

test('another server at the address of the relay is logged once, receives no login, and the agent recovers', async () => {
  await using it = await setUp();
  await using agent = await startAgent(it.config, it.log);
  await it.relay.nextSession();
  await using other = await replaceByOtherRelay(it.relay);
  let loginCount = 0;
  other.onLogin = () => {
    loginCount++;
    return welcome;
  };
  await expect.poll(() => it.relay.bootstrapCount).toBeGreaterThan(2);
  it.relay.bootstrap = 503; // the API server is unreachable as well
  const count = it.relay.bootstrapCount;
  await expect.poll(() => it.relay.bootstrapCount).toBeGreaterThan(count);
  expect(it.log.events.filter((event) => 'reason' in event && event.reason === 'pin-mismatch')).toHaveLength(1);
  expect(loginCount).toBe(0);

  await other.stopTunnel();
  await it.relay.listenTunnel();

  await it.relay.nextSession();
  expect(await agent.whenOnline()).toEqual({ uid: TEST_UID });
});

test('a relay that has left its port to another server is found through the API server', async () => {
  await using it = await setUp();
  await using _agent = await startAgent(it.config, it.log);
  await it.relay.nextSession();
  await using _other = await replaceByOtherRelay(it.relay);
  await it.log.until('offline');
  await it.relay.listenTunnel(0);
  it.relay.bootstrap = it.relay.truth();

  await it.relay.nextSession();

  expect(await readState(it.stateDir)).toMatchObject({ tunnelPort: it.relay.tunnelPort });
});

test('an API server that announces another key than the known one ends the agent', async () => {
  await using it = await setUp();
  await using agent = await startAgent(it.config, it.log);
  await it.relay.nextSession();
  await using other = await replaceByOtherRelay(it.relay);
  it.relay.bootstrap = other.truth();
  expect(await agent.finished).toMatchObject({ type: 'failed', error: { code: 'relay.pin-mismatch', exitCode: 6 } });
  await expect(agent.whenOnline()).rejects.toMatchObject({ code: 'relay.pin-mismatch' });
});

test('a server that announces another key than --pin is refused before anything is stored', async () => {
  await using it = await setUp({ pin: 'A'.repeat(43) });
  await using agent = await startAgent(it.config, it.log);
  expect(await agent.finished).toMatchObject({ error: { code: 'relay.pin-mismatch' } });
  await expect(readState(it.stateDir)).rejects.toThrow('ENOENT');
});

test('a changed key is accepted only by a new --pin', async () => {
  await using it = await setUp();
  {
    await using agent = await startAgent(it.config, it.log);
    await agent.whenOnline();
  }
  await using other = await TestRelay.start();
  {
    await using agent = await startAgent({ ...it.config, serverUrl: other.serverUrl }, it.log);
    expect(await agent.finished).toMatchObject({ error: { code: 'relay.pin-mismatch' } });
  }
  expect(await readState(it.stateDir)).toMatchObject({ relayPin: it.relay.certificate.pin });

  await using agent = await startAgent(
    { ...it.config, serverUrl: other.serverUrl, pin: other.certificate.pin },
    it.log,
  );
  await agent.whenOnline();
  expect(await readState(it.stateDir)).toMatchObject({ relayPin: other.certificate.pin, serverUrl: other.serverUrl });
});

test('a bad token ends the agent', async () => {
  await using it = await setUp();
  it.relay.onLogin = () => ({ type: 'refused', code: 'enrolment.token-invalid', retry: false });
  await using agent = await startAgent(it.config, it.log);
  expect(await agent.finished).toMatchObject({ type: 'failed', error: { code: 'token.invalid', exitCode: 3 } });
});

test('a device that is deleted while it runs ends its agent', async () => {
  await using it = await setUp();
  await using agent = await startAgent(it.config, it.log);
  const session = await it.relay.nextSession();
  session.send({ type: 'bye', code: 'device.removed', retryAfterMs: null });
  expect(await agent.finished).toMatchObject({ error: { code: 'device.removed', exitCode: 4 } });
});

test('a device that was deleted while offline is enrolled again only if a token is given', async () => {
  await using it = await setUp();
  {
    await using agent = await startAgent(it.config, it.log);
    await agent.whenOnline();
  }
  await it.relay.nextSession();
  it.relay.onLogin = ({ login }) =>
    login.token === undefined
      ? { type: 'refused', code: 'device.unknown', retry: false }
      : { ...welcome, uid: 'ffffffffffff' };
  {
    await using agent = await startAgent({ stateDir: it.stateDir, version }, it.log);
    expect(await agent.finished).toMatchObject({ error: { code: 'device.removed' } });
  }
  await using agent = await startAgent(it.config, it.log);
  expect(await agent.whenOnline()).toEqual({ uid: 'ffffffffffff' });
  expect(await readState(it.stateDir)).toMatchObject({ uid: 'ffffffffffff' });
});

test.each([
  ['a page', '<!doctype html><p>Starting', 'not-json'],
  ['something that is not ours', { hello: 'world' }, 'not-bootstrap'],
  ['a redirect to nowhere', 302, 'status_302'],
  ...[400, 401, 403, 404, 429, 500, 502, 503].map((status) => [`${status}`, status, `status_${status}`] as const),
] as const)('%s instead of the server is logged, and the server is asked again', async (_, bootstrap, reason) => {
  await using it = await setUp();
  it.relay.bootstrap = bootstrap;
  await using agent = await startAgent(it.config, it.log);
  expect(await it.log.until('server-unreachable')).toMatchObject({ reason });

  it.relay.bootstrap = it.relay.truth();

  expect(await agent.whenOnline()).toEqual({ uid: TEST_UID });
});

test('a redirect to another origin is logged with that origin', async () => {
  await using it = await setUp();
  await using portal = await TestRelay.start();
  portal.bootstrap = '<!doctype html><p>Log in first';
  it.relay.bootstrap = 302;
  it.relay.bootstrapHeaders = { location: `${portal.serverUrl}/login` };
  await using _agent = await startAgent(it.config, it.log);
  expect(await it.log.until('server-unreachable')).toMatchObject({
    reason: 'not-json',
    redirectedTo: portal.serverUrl,
  });
});

test('a server of another protocol ends the agent', async () => {
  await using it = await setUp();
  it.relay.bootstrap = { ...it.relay.truth(), protocol: 2 };
  await using agent = await startAgent(it.config, it.log);
  expect(await agent.finished).toMatchObject({ error: { code: 'protocol.unsupported' } });
});

test('a damaged state file stops the start and stays unchanged', async () => {
  await using it = await setUp();
  const file = path.join(it.stateDir, 'agent.json');
  await mkdir(it.stateDir);
  await writeFile(file, '{"version":1,"privateKey":"AAAA"}');
  await expect(startAgent(it.config, it.log)).rejects.toMatchObject({ code: 'state.damaged' });
  expect(await readFile(file, 'utf8')).toBe('{"version":1,"privateKey":"AAAA"}');
});

test('the deletion of the state folder during the enrolment ends the agent', async () => {
  await using it = await setUp();
  it.relay.onLogin = () => {
    rmSync(it.stateDir, { recursive: true });
    return welcome;
  };
  await using agent = await startAgent(it.config, it.log);
  expect(await agent.finished).toMatchObject({ type: 'failed', error: { code: 'state.unusable' } });
});

test('two agents cannot run on one state folder', async () => {
  await using it = await setUp();
  await using _agent = await startAgent(it.config, it.log);
  await expect(startAgent(it.config, it.log)).rejects.toMatchObject({ code: 'state.in-use', exitCode: 5 });
});

test('without a token, a server that offers no link yet is asked again', async () => {
  await using it = await setUp();
  const { token: _, ...config } = it.config;
  it.relay.bindingStates = 404;
  await using agent = await startAgent(config, it.log);
  expect(await it.log.until('server-unreachable')).toMatchObject({ reason: 'status_404' });
  it.relay.bindingStates = [{ state: 'confirmed', account: 'a***n' }];
  expect(await agent.whenOnline()).toEqual({ uid: TEST_UID });
});
