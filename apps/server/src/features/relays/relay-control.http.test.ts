import type { AddressInfo } from 'node:net';
import { AppError, type PresenceEvent, type ServerToRelay } from '@tongtu/contract';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { insertDevice, insertHome, insertMapping, insertUser } from '../../testing/device-fixtures.ts';
import { openTestApp } from '../../testing/open-test-app.ts';
import { TestRelay } from '../../testing/test-relay.ts';
import { enrolDevice } from '../devices/index.ts';
import { announceDeviceChange } from '../live/index.ts';
import { registerRelayControl } from './relay-control-routes.ts';
import { RelayHub, type RelayHubDeps } from './relay-hub.ts';

const secret = 'a secret of at least 32 characters';

/** A server with its hub on a real port. */
async function openServer(t: TestDb, changes: Partial<RelayHubDeps> = {}) {
  await using parts = new AsyncDisposableStack();
  const claimToken = async (): Promise<number | undefined> => undefined;
  const hub = await RelayHub.start({
    db: t.db,
    listen: t.listen,
    log: pino({ level: 'silent' }),
    gateKey: Buffer.alloc(32, 1),
    consoleUrl: 'http://localhost:8080',
    homeSuffix: 'localhost',
    enrol: async (enrolment) => await enrolDevice({ db: t.db, claimToken }, enrolment),
    redeem: async () => await Promise.reject(new AppError('gate.ticket-invalid')),
    ...changes,
  });
  const app = parts.use(await openTestApp(t.db, (on) => registerRelayControl(on, { hub, relaySecret: secret })));
  parts.use(hub);
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.app.server.address() as AddressInfo;
  const running = parts.move();
  return { hub, port, [Symbol.asyncDispose]: async () => await running.disposeAsync() };
}

function online(deviceId: number, epoch = 1): PresenceEvent {
  const facts = { publicIp: '203.0.113.7', agentVersion: '0.1.0', platform: 'linux-x64' };
  return { online: true, deviceId, epoch, atMs: 1_763_712_000_000, ...facts };
}

/** The device's row, once it says so. */
async function whenPresent(t: TestDb, expected: { online: boolean; offlineReason?: string | null }): Promise<void> {
  await expect
    .poll(async () => await t.db.selectFrom('devicePresence').select(['online', 'offlineReason']).executeTakeFirst(), {
      interval: 20,
      timeout: 5_000,
    })
    .toMatchObject(expected);
}

test.each([
  ['no secret', {}],
  ['a wrong secret', { authorization: `Bearer ${secret}x` }],
  ['another scheme', { authorization: `Basic ${secret}` }],
])('a relay with %s is not let in', async (_, headers) => {
  await using t = await openTestDb();
  await using server = await openServer(t);

  await using relay = new TestRelay(server.port, headers as Record<string, string>);

  expect(await relay.closed()).toBe(1006);
  const reply = await fetch(`http://127.0.0.1:${server.port}/internal/relay-control/`);
  expect(reply.status).toBe(401);
});

test('a relay that says hello gets the whole picture', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const mappingId = await insertMapping(t.db, { ...home, prefix: 'nas' });
  const off = await insertDevice(t.db, { ...home, enabled: false });
  const device = await t.db
    .selectFrom('device')
    .where('id', '=', home.deviceId)
    .select(['uid', 'publicKey'])
    .executeTakeFirstOrThrow();
  await using server = await openServer(t);
  await using relay = await TestRelay.connect(server.port, secret);

  relay.hello([online(home.deviceId)]);

  expect(await relay.next('snapshot')).toEqual({
    type: 'snapshot',
    version: 1,
    gateKey: Buffer.alloc(32, 1).toString('base64url'),
    consoleUrl: 'http://localhost:8080',
    devices: [
      {
        deviceId: home.deviceId,
        uid: device.uid,
        publicKey: device.publicKey.toString('base64url'),
        enabled: true,
        routes: [
          {
            mappingId,
            host: 'nas.localhost',
            protocol: 'http',
            targetHost: '192.168.1.10',
            targetPort: 5000,
            policy: 'owner',
            enabled: true,
          },
        ],
      },
      expect.objectContaining({ deviceId: off, enabled: false, routes: [] }),
    ],
  });
  await whenPresent(t, { online: true });
});

test('changes reach every relay in order, with consecutive versions, and the last one is the truth', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const doomed = await insertDevice(t.db, home);
  await using server = await openServer(t);
  await using one = await TestRelay.connect(server.port, secret);
  await using two = await TestRelay.connect(server.port, secret);
  one.hello([], 'r1');
  two.hello([], 'r2');
  await Promise.all([one.next('snapshot'), two.next('snapshot')]);

  const rename = async (enabled: boolean): Promise<void> => {
    await t.db.transaction().execute(async (tx) => {
      await tx.updateTable('device').set({ enabled }).where('id', '=', home.deviceId).execute();
      await announceDeviceChange(tx, home);
    });
  };
  for (let round = 0; round < 10; round++) await rename(round % 2 === 1);
  await rename(false);
  await t.db.deleteFrom('device').where('id', '=', doomed).execute();
  await announceDeviceChange(t.db, { deviceId: doomed, userId: home.userId });

  for (const relay of [one, two]) {
    const seen: ServerToRelay[] = [];
    do seen.push(await relay.nextOfAny());
    while (seen.at(-1)?.type !== 'device_removed');
    expect(seen.map((message) => 'version' in message && message.version)).toEqual(seen.map((_, index) => index + 2));
    expect(seen.at(-1)).toMatchObject({ type: 'device_removed', deviceId: doomed });
    expect(seen.at(-2)).toMatchObject({ type: 'device', device: { deviceId: home.deviceId, enabled: false } });
  }
});

test('a relay that missed something asks and gets a new picture', async () => {
  await using t = await openTestDb();
  await insertHome(t.db);
  await using server = await openServer(t);
  await using relay = await TestRelay.connect(server.port, secret);
  relay.hello();
  expect(await relay.next('snapshot')).toMatchObject({ version: 1 });

  relay.send({ type: 'resync' });

  expect(await relay.next('snapshot')).toMatchObject({ version: 2, devices: [expect.any(Object)] });
});

test('a notification that nobody of us sent harms nothing', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  await using server = await openServer(t);
  await using relay = await TestRelay.connect(server.port, secret);
  relay.hello();
  await relay.next('snapshot');

  await t.pool.query(`select pg_notify('device_changed', 'rubbish'), pg_notify('device_changed', '{"deviceId":"x"}')`);
  await announceDeviceChange(t.db, home);

  expect(await relay.nextOfAny()).toMatchObject({ type: 'device', version: 2 });
});

test('after a lost notification connection every relay gets a new picture', async () => {
  await using t = await openTestDb();
  await insertHome(t.db);
  await using server = await openServer(t);
  await using relay = await TestRelay.connect(server.port, secret);
  relay.hello();
  await relay.next('snapshot');

  await t.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'tongtu-listen'`,
  );

  expect(await relay.next('snapshot')).toMatchObject({ version: 2 });
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
  await using server = await openServer(t);
  await using good = await TestRelay.connect(server.port, secret);
  await using bad = await TestRelay.connect(server.port, secret);
  good.hello([], 'good');
  bad.hello([], 'bad');
  await Promise.all([good.next('snapshot'), bad.next('snapshot')]);

  bad.sendText(garbage);

  expect(await bad.closed()).toBe(1007);
  good.send({ type: 'resync' });
  expect(await good.next('snapshot')).toMatchObject({ version: 2 });
});

test('binary frames, a missing hello, another protocol and a second hello end the connection', async () => {
  await using t = await openTestDb();
  await insertHome(t.db);
  await using server = await openServer(t);
  const codeAfter = async (act: (relay: TestRelay) => void): Promise<number> => {
    await using relay = await TestRelay.connect(server.port, secret);
    act(relay);
    return await relay.closed();
  };
  const oldHello = { type: 'hello' as const, protocol: 0, relayId: 'r1', bootId: 'b', online: [] };

  expect(await codeAfter((relay) => relay.sendText(Buffer.from('{"type":"resync"}')))).toBe(1007);
  expect(await codeAfter((relay) => relay.send({ type: 'heartbeat', load: 0 }))).toBe(4001);
  expect(await codeAfter((relay) => relay.send(oldHello))).toBe(4001);
  expect(await codeAfter((relay) => (relay.hello(), relay.hello()))).toBe(4001);
  expect(await codeAfter((relay) => relay.sendText('x'.repeat(5 * 1024 * 1024)))).toBe(1009);
});

test('a heartbeat keeps the relay and its devices alive', async () => {
  await using t = await openTestDb();
  await insertHome(t.db);
  await using server = await openServer(t);
  await using relay = await TestRelay.connect(server.port, secret);
  relay.hello();
  await relay.next('snapshot');
  await t.db
    .updateTable('relay')
    .set({ lastSeenAt: new Date(0) })
    .execute();

  relay.send({ type: 'heartbeat', load: 0.25 });

  await expect
    .poll(async () => (await t.db.selectFrom('relay').select(['load', 'lastSeenAt']).executeTakeFirst())?.load)
    .toBe(0.25);
  const { lastSeenAt } = await t.db.selectFrom('relay').select('lastSeenAt').executeTakeFirstOrThrow();
  expect(lastSeenAt.getTime()).toBeGreaterThan(0);
});

test('a relay that stops on purpose takes its devices offline at once', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  await using server = await openServer(t);
  await using relay = await TestRelay.connect(server.port, secret);
  relay.hello();
  relay.send({ type: 'presence', events: [online(home.deviceId)] });
  await whenPresent(t, { online: true });

  relay.close(1000);

  await whenPresent(t, { online: false, offlineReason: 'relay_stopped' });
});

test('a relay that vanishes leaves its devices to the time limit, and finds them again', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  await using server = await openServer(t);
  await using first = await TestRelay.connect(server.port, secret);
  first.hello([online(home.deviceId)]);
  await whenPresent(t, { online: true });

  first.vanish();
  const target = { relayId: 'r1', deviceId: home.deviceId, mappingId: 1 };
  await expect.poll(async () => await server.hub.probe(target)).toBeUndefined();
  await whenPresent(t, { online: true, offlineReason: null });
  await using again = await TestRelay.connect(server.port, secret);
  again.hello([online(home.deviceId)]);
  await again.next('snapshot');

  await whenPresent(t, { online: true });
});

test('a second connection of the same relay takes the place of the first', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  await using server = await openServer(t);
  await using first = await TestRelay.connect(server.port, secret);
  first.hello([online(home.deviceId)]);
  await first.next('snapshot');
  await using second = await TestRelay.connect(server.port, secret);

  second.hello([online(home.deviceId)]);

  expect(await first.closed()).toBe(4000);
  await second.next('snapshot');
  await whenPresent(t, { online: true });
});

test('an agent is enrolled through its relay, and a refusal carries the code', async () => {
  await using t = await openTestDb();
  await insertHome(t.db);
  const userId = await insertUser(t.db, 'zhao');
  const claimToken = async (_: unknown, token: string) => (token === 'good' ? userId : undefined);
  const enrol: RelayHubDeps['enrol'] = async (enrolment) => await enrolDevice({ db: t.db, claimToken }, enrolment);
  await using server = await openServer(t, { enrol });
  await using relay = await TestRelay.connect(server.port, secret);
  relay.hello();
  await relay.next('snapshot');
  const publicKey = Buffer.alloc(32, 9).toString('base64url');
  const request = { type: 'enrol', publicKey, name: '书房', publicIp: '203.0.113.7' } as const;

  relay.send({ ...request, correlation: 1, token: 'bad' });
  relay.send({ ...request, correlation: 2, token: 'good' });
  relay.send({ ...request, correlation: 3, token: 'good', publicKey: 'short' });

  const results = await Promise.all([1, 2, 3].map(() => relay.next('enrol_result')));
  const byCorrelation = new Map(results.map(({ correlation, result }) => [correlation, result]));
  expect(byCorrelation.get(1)).toEqual({ ok: false, code: 'enrolment.token-invalid' });
  expect(byCorrelation.get(2)).toMatchObject({ ok: true, device: { publicKey, enabled: true, routes: [] } });
  expect(byCorrelation.get(3)).toEqual({ ok: false, code: 'request.invalid' });
  const device = await t.db.selectFrom('device').where('userId', '=', userId).select('name').executeTakeFirst();
  expect(device).toEqual({ name: '书房' });
});

test('a ticket is redeemed for the relay, with text that the database can keep', async () => {
  await using t = await openTestDb();
  await insertHome(t.db);
  const redeem: RelayHubDeps['redeem'] = async ({ ticket, userAgent }) => {
    if (ticket !== 'good') throw new AppError('gate.ticket-invalid');
    return { verificationId: userAgent.length, mappingId: 2, expiresAtMs: 3 };
  };
  await using server = await openServer(t, { redeem });
  await using relay = await TestRelay.connect(server.port, secret);
  relay.hello();
  const visit = {
    type: 'redeem_ticket',
    host: 'nas.localhost',
    visitorIp: '203.0.113.9',
    userAgent: 'a\u0000b',
  } as const;

  relay.send({ ...visit, correlation: 0, ticket: 'good' });
  expect(await relay.next('ticket_result')).toMatchObject({
    correlation: 0,
    result: { ok: true, verificationId: 2, mappingId: 2, expiresAtMs: 3 },
  });
  relay.send({ ...visit, correlation: 1, ticket: 'used' });
  expect(await relay.next('ticket_result')).toMatchObject({
    correlation: 1,
    result: { ok: false, code: 'gate.ticket-invalid' },
  });
});

test('what fails unexpectedly is said to have failed, without its text', async () => {
  await using t = await openTestDb();
  await insertHome(t.db);
  const redeem = async () => await Promise.reject(new Error('secret detail'));
  await using server = await openServer(t, { redeem });
  await using relay = await TestRelay.connect(server.port, secret);
  relay.hello();
  const visit = { type: 'redeem_ticket', host: 'h', visitorIp: '', userAgent: '', ticket: 't' } as const;

  relay.send({ ...visit, correlation: 5 });

  expect(await relay.next('ticket_result')).toEqual({
    type: 'ticket_result',
    correlation: 5,
    result: { ok: false, code: 'server.internal' },
  });
});

test('a probe is answered by the relay of the device, each by its own answer', async () => {
  await using t = await openTestDb();
  await insertHome(t.db);
  await using server = await openServer(t);
  await using relay = await TestRelay.connect(server.port, secret);
  relay.hello();
  await relay.next('snapshot');

  const first = server.hub.probe({ relayId: 'r1', deviceId: 1, mappingId: 10 });
  const second = server.hub.probe({ relayId: 'r1', deviceId: 1, mappingId: 20 });
  const asked = [await relay.next('probe'), await relay.next('probe')];
  for (const { correlation, mappingId } of asked.toReversed()) {
    const result = { ok: true, step: 'http', ms: mappingId, seen: 'status_200' } as const;
    relay.send({ type: 'probe_result', correlation, result });
  }
  relay.send({ type: 'probe_result', correlation: 999, result: { ok: false, step: 'tcp', ms: 0, seen: 'late' } });

  expect(await first).toMatchObject({ ms: 10 });
  expect(await second).toMatchObject({ ms: 20 });
  expect(await server.hub.probe({ relayId: 'elsewhere', deviceId: 1, mappingId: 1 })).toBeUndefined();
});

test('a probe whose relay goes away is answered at once', async () => {
  await using t = await openTestDb();
  await insertHome(t.db);
  await using server = await openServer(t);
  await using relay = await TestRelay.connect(server.port, secret);
  relay.hello();
  await relay.next('snapshot');

  const probe = server.hub.probe({ relayId: 'r1', deviceId: 1, mappingId: 10 });
  await relay.next('probe');
  relay.vanish();

  expect(await probe).toMatchObject({ ok: false, step: 'relay', seen: 'lost' });
});

test('a server that stops says so to its relays and leaves their devices as they are', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const server = await openServer(t);
  await using relay = await TestRelay.connect(server.port, secret);
  relay.hello([online(home.deviceId)]);
  await relay.next('snapshot');

  await server[Symbol.asyncDispose]();

  expect(await relay.closed()).toBe(1001);
  await whenPresent(t, { online: true });
});
