import { createServer } from 'node:http';
import { keyFingerprint } from '@tongtu/tunnel';
import { expect, test } from 'vitest';
import type { AgentEvent } from '../events/agent-log.ts';
import { startAgent } from '../start-agent.ts';
import { readState, setUp } from '../testing/agent-setup.ts';
import { listenOnLoopback } from '../testing/lan-service.ts';
import { TEST_UID, TestRelay, welcome } from '../testing/test-relay.ts';

async function setUpWithoutToken() {
  const it = await setUp({ name: '客厅的路由器' });
  const { token: _token, ...config } = it.config;
  return { ...it, config };
}

test('without a token a link is logged, and its confirmation enrols the device', async () => {
  await using it = await setUpWithoutToken();
  it.relay.bindingStates = [{ state: 'confirmed', account: 'a***n' }];
  await using agent = await startAgent(it.config, it.log);

  const { login } = await it.relay.nextSession();

  expect(await agent.whenOnline()).toEqual({ uid: TEST_UID });
  expect(login.login).toMatchObject({ token: `tc_${TestRelay.codeOf(1)}`, name: '客厅的路由器' });
  const { publicKey } = login.hello;
  expect(it.relay.offers).toMatchObject([{ public_key: publicKey, name: '客厅的路由器', agent_version: '0.1.0' }]);
  expect(await it.log.until('binding-offered')).toEqual({
    event: 'binding-offered',
    url: `${it.relay.serverUrl}/#/devices?bind=${TestRelay.codeOf(1)}`,
    fingerprint: keyFingerprint(publicKey),
  });
  expect(await it.log.until('binding-confirmed')).toEqual({ event: 'binding-confirmed', account: 'a***n' });
  expect(await readState(it.stateDir)).toMatchObject({ uid: TEST_UID });
});

test('when a link has expired a new one is logged, for the same key', async () => {
  await using it = await setUpWithoutToken();
  it.relay.bindingStates = [
    { state: 'ended', account: '' },
    { state: 'confirmed', account: 'a***n' },
  ];
  await using agent = await startAgent(it.config, it.log);

  await agent.whenOnline();

  const links = it.log.events.filter((event): event is AgentEvent & { url: string } => 'url' in event);
  expect(links.map(({ url }) => url.slice(-22))).toEqual([TestRelay.codeOf(1), TestRelay.codeOf(2)]);
  const keys = it.relay.offers.map((offer) => (offer as { public_key: string }).public_key); // what the agent sends
  expect(new Set(keys).size).toBe(1);
});

test('when the relay is reached after the confirmation has expired, a new link is logged', async () => {
  await using it = await setUpWithoutToken();
  it.relay.bindingStates = [{ state: 'confirmed', account: 'a***n' }];
  it.relay.onLogin = ({ login }) =>
    login.token === `tc_${TestRelay.codeOf(2)}`
      ? welcome
      : { type: 'refused', code: 'enrolment.token-invalid', retry: false };
  await using agent = await startAgent(it.config, it.log);

  expect(await agent.whenOnline()).toEqual({ uid: TEST_UID });

  const events = it.log.events.map(({ event }) => event).filter((event) => event.startsWith('binding-'));
  expect(events).toEqual([
    'binding-offered',
    'binding-confirmed',
    'binding-expired',
    'binding-offered',
    'binding-confirmed',
  ]);
});

test.each([
  ['the link', undefined],
  ['a one-time token', 'tb_1.proof'],
])('a device that was added by %s and is deleted while offline ends as removed', async (_, token) => {
  await using it = await setUpWithoutToken();
  it.relay.bindingStates = [{ state: 'confirmed', account: 'a***n' }];
  await using agent = await startAgent({ ...it.config, ...(token && { token }) }, it.log);
  const session = await it.relay.nextSession();
  await agent.whenOnline();

  it.relay.onLogin = ({ login }) => ({
    type: 'refused',
    code: login.token === undefined ? 'device.unknown' : 'enrolment.token-invalid',
    retry: false,
  });
  session.cut();

  expect(await agent.finished).toMatchObject({ type: 'failed', error: { code: 'device.removed', exitCode: 4 } });
});

test('a server may redirect the request for a link to another port', async () => {
  await using it = await setUpWithoutToken();
  it.relay.bindingStates = [{ state: 'confirmed', account: 'a***n' }];
  await using http = createServer((request, response) => {
    response.writeHead(308, { location: `${it.relay.serverUrl}${request.url}` }).end();
  });
  const serverUrl = `http://127.0.0.1:${await listenOnLoopback(http)}`;
  await using agent = await startAgent({ ...it.config, serverUrl }, it.log);

  expect(await agent.whenOnline()).toEqual({ uid: TEST_UID });
  expect(await it.log.until('binding-offered')).toMatchObject({
    url: `${serverUrl}/#/devices?bind=${TestRelay.codeOf(1)}`,
  });
});

test('an agent that waits for confirmation can be stopped', async () => {
  await using it = await setUpWithoutToken();
  it.relay.bindingStates = [{ state: 'pending', account: '' }];
  const agent = await startAgent(it.config, it.log);
  await it.log.until('binding-offered');

  await agent[Symbol.asyncDispose]();

  expect(await agent.finished).toEqual({ type: 'stopped' });
});
