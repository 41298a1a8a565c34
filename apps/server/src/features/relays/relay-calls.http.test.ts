import { AppError } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertHome, insertUser } from '../../testing/device-fixtures.ts';
import { enrolDevice } from '../devices/index.ts';
import type { RelayHubDeps } from './relay-hub.ts';
import { openTestHub, relaySecret } from './testing/open-test-hub.ts';
import { TestRelay } from './testing/test-relay.ts';

test('an agent is enrolled through its relay, and a refusal carries the code', async () => {
  await using t = await openTestDb();
  await insertHome(t.db);
  const userId = await insertUser(t.db, 'zhao');
  const claimToken = async (_: unknown, token: string) => (token === 'good' ? { userId } : undefined);
  const enrol: RelayHubDeps['enrol'] = async (enrolment) => await enrolDevice({ db: t.db, claimToken }, enrolment);
  await using server = await openTestHub(t, { enrol });
  await using relay = await TestRelay.join(server.port, relaySecret);
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

test('a ticket is redeemed through the relay, with text that the database can store', async () => {
  await using t = await openTestDb();
  await insertHome(t.db);
  const redeem: RelayHubDeps['redeem'] = async ({ ticket, userAgent }) => {
    if (ticket !== 'good') throw new AppError('gate.ticket-invalid');
    return { verificationId: userAgent.length, mappingId: 2, expiresAtMs: 3 };
  };
  await using server = await openTestHub(t, { redeem });
  await using relay = await TestRelay.connect(server.port, relaySecret);
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

test('an unexpected failure is answered with server.internal, without its message', async () => {
  await using t = await openTestDb();
  await insertHome(t.db);
  const redeem = async () => await Promise.reject(new Error('secret detail'));
  await using server = await openTestHub(t, { redeem });
  await using relay = await TestRelay.connect(server.port, relaySecret);
  relay.hello();
  const visit = { type: 'redeem_ticket', host: 'h', visitorIp: '', userAgent: '', ticket: 't' } as const;

  relay.send({ ...visit, correlation: 5 });

  expect(await relay.next('ticket_result')).toEqual({
    type: 'ticket_result',
    correlation: 5,
    result: { ok: false, code: 'server.internal' },
  });
});

test('many tickets do not block an enrolment, and those beyond the limit are refused with request.too-many', async () => {
  await using t = await openTestDb();
  await insertHome(t.db);
  const userId = await insertUser(t.db, 'zhao');
  const enrol: RelayHubDeps['enrol'] = async (enrolment) =>
    await enrolDevice({ db: t.db, claimToken: async () => ({ userId }) }, enrolment);
  const slow = Promise.withResolvers<never>();
  await using server = await openTestHub(t, { enrol, redeem: () => slow.promise });
  await using relay = await TestRelay.join(server.port, relaySecret);
  const visit = { type: 'redeem_ticket', host: 'h', visitorIp: '', userAgent: '', ticket: 't' } as const;

  for (let correlation = 0; correlation <= 256; correlation++) relay.send({ ...visit, correlation });
  const refusal = { correlation: 256, result: { ok: false, code: 'request.too-many' } };
  expect(await relay.next('ticket_result')).toMatchObject(refusal);
  const publicKey = Buffer.alloc(32, 9).toString('base64url');
  relay.send({ type: 'enrol', correlation: 1, token: 'good', publicKey, name: '书房', publicIp: '203.0.113.7' });
  expect(await relay.next('enrol_result')).toMatchObject({ correlation: 1, result: { ok: true } });

  slow.reject(new AppError('gate.ticket-invalid'));
  const answers = await Promise.all(Array.from({ length: 256 }, () => relay.next('ticket_result')));
  expect(new Set(answers.map(({ result }) => !result.ok && result.code))).toEqual(new Set(['gate.ticket-invalid']));
});

test('each probe gets its own result from the relay of the device', async () => {
  await using t = await openTestDb();
  await insertHome(t.db);
  await using server = await openTestHub(t);
  await using relay = await TestRelay.join(server.port, relaySecret);

  const first = server.hub.probe({ relayIds: ['r1'], deviceId: 1, mappingId: 10 });
  const second = server.hub.probe({ relayIds: ['r1'], deviceId: 1, mappingId: 20 });
  const probes = [await relay.next('probe'), await relay.next('probe')];
  for (const { correlation, mappingId } of probes.toReversed()) {
    const result = { ok: true, step: 'http', ms: mappingId, seen: 'status_200' } as const;
    relay.send({ type: 'probe_result', correlation, result });
  }
  relay.send({ type: 'probe_result', correlation: 999, result: { ok: false, step: 'tcp', ms: 0, seen: 'late' } });

  expect(await first).toMatchObject({ ms: 10 });
  expect(await second).toMatchObject({ ms: 20 });
  expect(await server.hub.probe({ relayIds: ['elsewhere'], deviceId: 1, mappingId: 1 })).toBeUndefined();
});

test('each trial visit gets its own result, and none outlasts the connection of its relay', async () => {
  await using t = await openTestDb();
  await insertHome(t.db);
  await using server = await openTestHub(t);
  await using relay = await TestRelay.join(server.port, relaySecret);
  const place = { scheme: 'https', authority: 'nas.example.com', address: '203.0.113.7', settings: {} } as const;
  const visit = (mappingId: number) => server.hub.tryVisit({ relayIds: ['r1'], deviceId: 1 }, { ...place, mappingId });
  const nothing = { answers: [], failure: null, script: null, socket: null, greeting: null };

  const visits = [visit(10), visit(20)];
  const trials = [await relay.next('trial'), await relay.next('trial')];
  for (const { correlation, visit: visited } of trials.toReversed())
    relay.send({ type: 'trial_result', correlation, result: { ...nothing, socket: visited.mappingId } });
  relay.send({ type: 'trial_result', correlation: 999, result: nothing });
  expect(await Promise.all(visits)).toEqual([
    { ...nothing, socket: 10 },
    { ...nothing, socket: 20 },
  ]);

  const open = visit(10);
  await relay.next('trial');
  relay.terminate();
  expect(await open).toEqual({ ...nothing, failure: 'relay-lost' });
  expect(
    await server.hub.tryVisit({ relayIds: ['elsewhere'], deviceId: 1 }, { ...place, mappingId: 1 }),
  ).toBeUndefined();
});

test('a probe goes to the relay of the device that is connected to this process', async () => {
  await using t = await openTestDb();
  await insertHome(t.db);
  await using server = await openTestHub(t);
  await using relay = await TestRelay.join(server.port, relaySecret);

  const probe = server.hub.probe({ relayIds: ['elsewhere', 'r1'], deviceId: 1, mappingId: 10 });
  const { correlation } = await relay.next('probe');
  relay.send({ type: 'probe_result', correlation, result: { ok: true, step: 'http', ms: 1, seen: 'status_200' } });

  expect(await probe).toMatchObject({ ok: true });
});

test('before a probe the relay is sent the device’s current routes, without waiting for a notification', async () => {
  await using t = await openTestDb();
  await insertHome(t.db);
  await using server = await openTestHub(t);
  await using relay = await TestRelay.join(server.port, relaySecret);

  void server.hub.probe({ relayIds: ['r1'], deviceId: 1, mappingId: 10 });

  expect(await relay.nextOfAny()).toMatchObject({ type: 'device', device: { deviceId: 1 } });
  expect(await relay.nextOfAny()).toMatchObject({ type: 'probe', deviceId: 1 });
});

test('a probe whose relay disconnects is answered at once', async () => {
  await using t = await openTestDb();
  await insertHome(t.db);
  await using server = await openTestHub(t);
  await using relay = await TestRelay.join(server.port, relaySecret);

  const probe = server.hub.probe({ relayIds: ['r1'], deviceId: 1, mappingId: 10 });
  await relay.next('probe');
  relay.terminate();

  expect(await probe).toMatchObject({ ok: false, step: 'relay', seen: 'lost' });
});
