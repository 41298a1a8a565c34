import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertHome } from '../../testing/device-fixtures.ts';
import { captureLog } from '../../testing/capture-log.ts';
import { online, openTestHub, relaySecret, whenPresent } from './testing/open-test-hub.ts';
import { TestRelay } from './testing/test-relay.ts';

test.each([
  ['no secret', {}],
  ['a wrong secret', { authorization: `Bearer ${relaySecret}x` }],
  ['another scheme', { authorization: `Basic ${relaySecret}` }],
])('a relay with %s is refused', async (_, headers) => {
  await using t = await openTestDb();
  await using server = await openTestHub(t);

  await using relay = new TestRelay(server.port, headers as Record<string, string>);

  expect(await relay.closed()).toBe(1006);
  const reply = await fetch(`http://127.0.0.1:${server.port}/internal/relay-control/`);
  expect(reply.status).toBe(401);
});

test.each([
  ['text that is no JSON', 'garbage'],
  ['an unknown message', '{"type":"drop_tables"}'],
  ['a message with a wrong field', '{"type":"heartbeat","load":7}'],
  ['a number', '5'],
  ['a prototype trick', '{"__proto__":{"type":"resync"}}'],
  ['half a message', '{"type":"hel'],
])('%s closes that connection and no other', async (_, garbage) => {
  await using t = await openTestDb();
  await insertHome(t.db);
  await using server = await openTestHub(t);
  await using good = await TestRelay.connect(server.port, relaySecret);
  await using bad = await TestRelay.connect(server.port, relaySecret);
  good.hello([], 'good');
  bad.hello([], 'bad');
  await Promise.all([good.next('snapshot'), bad.next('snapshot')]);

  bad.sendText(garbage);

  expect(await bad.closed()).toBe(1007);
  good.send({ type: 'resync' });
  expect(await good.next('snapshot')).toMatchObject({ version: 2 });
});

test.each([
  ['a call with a wrong field', '{"type":"enrol","correlation":-1,"token":"the-token-of-an-account"}', 'enrol'],
  ['half a call', '{"type":"enrol","token":"the-token-of-an-account', undefined],
  ['an unknown message', '{"type":"the-token-of-an-account"}', undefined],
])('only the type of %s is logged', async (_, text, type) => {
  await using t = await openTestDb();
  const { log, lines } = captureLog();
  await using server = await openTestHub(t, { log });
  await using relay = await TestRelay.connect(server.port, relaySecret);

  relay.sendText(text);

  expect(await relay.closed()).toBe(1007);
  expect(lines.find(({ msg }) => msg === 'invalid message from a relay')?.['messageType']).toBe(type);
  expect(JSON.stringify(lines)).not.toContain('the-token');
});

test('binary frames, a missing hello, another protocol and a hello with another name end the connection', async () => {
  await using t = await openTestDb();
  await insertHome(t.db);
  await using server = await openTestHub(t);
  const closeCodeAfter = async (act: (relay: TestRelay) => void): Promise<number> => {
    await using relay = await TestRelay.connect(server.port, relaySecret);
    act(relay);
    return await relay.closed();
  };
  const oldHello = { type: 'hello' as const, protocol: 0, relayId: 'r1', bootId: 'b', online: [] };

  expect(await closeCodeAfter((relay) => relay.sendText(Buffer.from('{"type":"resync"}')))).toBe(1007);
  expect(await closeCodeAfter((relay) => relay.send({ type: 'heartbeat', load: 0, bootId: 'boot' }))).toBe(4001);
  expect(await closeCodeAfter((relay) => relay.send(oldHello))).toBe(4001);
  expect(await closeCodeAfter((relay) => (relay.hello(), relay.hello([], 'r2')))).toBe(4001);
  expect(await closeCodeAfter((relay) => relay.sendText('x'.repeat(5 * 1024 * 1024)))).toBe(1009);
});

test('a server that stops closes its relays’ connections with 1001 and leaves their devices online', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const server = await openTestHub(t);
  await using relay = await TestRelay.connect(server.port, relaySecret);
  relay.hello([online(home.deviceId)]);
  await relay.next('snapshot');

  await server[Symbol.asyncDispose]();

  expect(await relay.closed()).toBe(1001);
  await whenPresent(t, { online: true });
});
