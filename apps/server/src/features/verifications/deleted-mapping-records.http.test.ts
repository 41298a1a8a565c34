import type { DeletedMapping, VerificationRecord } from '@tongtu/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { insertDevice, insertMapping, insertUser } from '../../testing/device-fixtures.ts';
import { check, openGateApp, ticketOf } from '../../testing/apps/open-gate-app.ts';
import type { TestBrowser } from '../../testing/apps/open-test-app.ts';
import { deleteOldMappingRecords } from '../mappings/index.ts';
import { deleteOldVerifications } from './verification-store.ts';

const verifications = '/api/user/verifications/';

type Gate = Awaited<ReturnType<typeof openGateApp>>;

async function find(browser: TestBrowser, query = ''): Promise<VerificationRecord[]> {
  const reply = await browser.call('GET', `${verifications}${query}`);
  expect(reply.status).toBe(200);
  return (reply.body as { results: VerificationRecord[] }).results;
}

async function listDeleted(browser: TestBrowser): Promise<DeletedMapping[]> {
  return (await browser.call('GET', `${verifications}deleted/`)).body as DeletedMapping[];
}

async function removeMapping({ owner }: Gate, id: number): Promise<void> {
  expect(await owner.call('DELETE', `/api/user/records/${id}/`)).toMatchObject({ status: 200 });
}

async function removeDevice({ owner, deviceId }: Gate): Promise<void> {
  expect(await owner.call('DELETE', `/api/user/routers/${deviceId}/`)).toMatchObject({ status: 200 });
}

async function verifyAddress({ owner }: Gate, mappingId: number, ip: string) {
  const headers = { 'x-forwarded-for': ip };
  return await owner.call('POST', `/api/user/records/${mappingId}/verified_ip/`, undefined, headers);
}

/** Verifies a browser and an address at `nas`. The browser's verification has expired. */
async function insertExpiredAndValid(t: TestDb, gate: Gate) {
  const { verificationId: expiredId } = await gate.redeem(ticketOf(await check(gate.owner)));
  const past = sql<Date>`now() - interval '1 hour'`;
  await t.db.updateTable('verification').set({ expiresAt: past }).execute();
  const { id: validId } = (await verifyAddress(gate, gate.mappingId, '203.0.113.7')).body as VerificationRecord;
  return { expiredId, validId };
}

test('the records of a deleted mapping stay, its valid proofs are revoked, and relays and consoles are notified', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { expiredId, validId } = await insertExpiredAndValid(t, gate);
  const [before] = await find(gate.owner);
  const received: string[] = [];
  const all = Promise.withResolvers<void>();
  const receive = (payload: string): void => void (received.push(payload) === 3 && all.resolve());
  await using _devices = await t.listen('device_changed', receive, () => undefined);
  await using _consoles = await t.listen('live', receive, () => undefined);

  await removeMapping(gate, gate.mappingId);

  const [ended, expired] = await find(gate.owner);
  expect(ended).toEqual({ ...before, mapping_deleted: true, revoked_at: expect.any(String) });
  expect(before).toMatchObject({ id: validId, router_name: 'NAS', router_deleted: false, mapping_deleted: false });
  expect(expired).toMatchObject({ id: expiredId, host: 'nas.localhost', mapping_deleted: true, revoked_at: null });
  expect(await listDeleted(gate.owner)).toEqual([
    {
      ...{ id: gate.mappingId, kind: 'http', domain: 'nas.localhost', port: null },
      ...{ router: gate.deviceId, router_deleted: false, router_name: 'NAS', deleted_at: expect.any(String) },
    },
  ]);
  await all.promise;
  expect(received.map((payload) => JSON.parse(payload))).toEqual(
    expect.arrayContaining([
      { deviceId: gate.deviceId, version: expect.any(String) },
      { userId: gate.userId, topic: 'devices' },
      { userId: gate.userId, topic: 'verifications' },
    ]),
  );
});

test('the records of a deleted device stay, with its last name', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  await insertExpiredAndValid(t, gate);
  const port = await insertMapping(t.db, { ...gate, kind: 'tcp', port: 20_001 });
  await verifyAddress(gate, port, '203.0.113.8');
  await removeMapping(gate, gate.mappingId);
  await t.db.updateTable('device').set({ name: '书房' }).execute();
  expect((await find(gate.owner)).map(({ router_name: name }) => name)).toEqual(['书房', '书房', '书房']);

  await removeDevice(gate);

  const rest = { router: gate.deviceId, router_name: '书房', router_deleted: true, mapping_deleted: true };
  expect(await find(gate.owner)).toMatchObject([
    { ...rest, mapping: port, port: 20_001, revoked_at: expect.any(String) },
    { ...rest, mapping: gate.mappingId, port: null, revoked_at: expect.any(String) },
    { ...rest, mapping: gate.mappingId, port: null, revoked_at: null },
  ]);
  expect(await listDeleted(gate.owner)).toMatchObject([
    { id: port, domain: 'localhost', port: 20_001, kind: 'tcp', router_name: '书房', router_deleted: true },
    { id: gate.mappingId, domain: 'nas.localhost', router_name: '书房', router_deleted: true },
  ]);
});

test('records of deleted mappings and devices are filtered by device, mapping, state, grounds and text', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { expiredId, validId } = await insertExpiredAndValid(t, gate);
  const deviceId = await insertDevice(t.db, gate);
  const cam = await insertMapping(t.db, { ...gate, deviceId, prefix: 'cam' });
  const { id: otherId } = (await verifyAddress(gate, cam, '203.0.113.9')).body as VerificationRecord;
  await removeDevice(gate);
  const ids = async (query: string): Promise<number[]> => (await find(gate.owner, query)).map(({ id }) => id);

  expect(await ids('')).toEqual([otherId, validId, expiredId]);
  expect(await ids(`?router=${gate.deviceId}`)).toEqual([validId, expiredId]);
  expect(await ids(`?mapping=${gate.mappingId}`)).toEqual([validId, expiredId]);
  expect(await ids(`?router=${deviceId}&mapping=${cam}`)).toEqual([otherId]);
  expect(await ids('?state=active')).toEqual([otherId]);
  expect(await ids('?state=revoked')).toEqual([validId]);
  expect(await ids('?state=expired')).toEqual([expiredId]);
  expect(await ids(`?router=${gate.deviceId}&granted_by=owner`)).toEqual([expiredId]);
  expect(await ids('?search=nas.local')).toEqual([validId, expiredId]);
  expect(await ids('?search=113.7')).toEqual([validId]);
});

test('changes of a deleted mapping or device are refused with the reason, and revoking a revoked proof succeeds', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { expiredId, validId } = await insertExpiredAndValid(t, gate);
  await removeMapping(gate, gate.mappingId);
  const refusal = (code: string) => ({ status: 409, body: { code, detail: expect.stringMatching(/已删除/) } });
  const refused = refusal('verification.address-deleted');
  const setAllowList = async () =>
    await gate.owner.call('PATCH', `/api/user/routers/${gate.deviceId}/`, { allow_list: ['203.0.113.7'] });

  for (const id of [expiredId, validId])
    expect(await gate.owner.call('PATCH', `${verifications}${id}/`, { extend_hours: 24 })).toMatchObject(refused);
  const before = await find(gate.owner, `?state=revoked`);
  expect(await gate.owner.call('DELETE', `${verifications}${validId}/`)).toMatchObject({ status: 200 });
  expect(await find(gate.owner, `?state=revoked`)).toEqual(before);
  expect(await setAllowList()).toMatchObject({ status: 200 });
  await removeDevice(gate);
  expect(await setAllowList()).toMatchObject(refusal('device.deleted'));
});

test('another user finds and changes nothing of a deleted mapping', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { expiredId } = await insertExpiredAndValid(t, gate);
  await removeMapping(gate, gate.mappingId);
  const otherUser = await gate.app.browserOf(await insertUser(t.db, 'zhao'));

  expect(await find(otherUser)).toEqual([]);
  expect(await find(otherUser, `?router=${gate.deviceId}`)).toEqual([]);
  expect(await listDeleted(otherUser)).toEqual([]);
  expect(await otherUser.call('GET', `${verifications}?mapping=${gate.mappingId}`)).toMatchObject({ status: 404 });
  expect(await otherUser.call('PATCH', `${verifications}${expiredId}/`, { extend_hours: 1 })).toMatchObject({
    status: 404,
  });
  expect(await otherUser.call('DELETE', `${verifications}${expiredId}/`)).toMatchObject({ status: 404 });
  await removeDevice(gate);
  const device = `/api/user/routers/${gate.deviceId}/`;
  expect(await otherUser.call('PATCH', device, { name: 'x' })).toMatchObject({ status: 404 });
});

test('a deleted mapping without records is not listed', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  await removeMapping(gate, gate.mappingId);

  expect(await listDeleted(gate.owner)).toEqual([]);
  expect(await gate.owner.call('GET', `${verifications}?mapping=${gate.mappingId}`)).toMatchObject({
    status: 404,
    body: { code: 'mapping.not-found' },
  });
});

test('the limit of 20 verified addresses a day also counts those of deleted mappings', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  for (let n = 0; n < 20; n++) await verifyAddress(gate, gate.mappingId, `203.0.113.${n}`);
  await removeMapping(gate, gate.mappingId);
  const nextId = await insertMapping(t.db, { ...gate, prefix: 'nas' });

  expect(await verifyAddress(gate, nextId, '203.0.113.0')).toMatchObject({
    status: 429,
    body: { code: 'gate.verified-ip-limit' },
  });
  expect(await gate.owner.call('POST', `/api/user/records/${nextId}/mark_client/`)).toMatchObject({ status: 429 });
});

test('records are deleted 90 days after they expired or were revoked', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { expiredId, validId } = await insertExpiredAndValid(t, gate);
  await removeMapping(gate, gate.mappingId);
  const daysAgo = (days: number) => sql<Date>`now() - make_interval(days => ${days})`;
  await t.db
    .updateTable('verification')
    .set({ expiresAt: daysAgo(91) })
    .where('id', '=', expiredId)
    .execute();
  await t.db
    .updateTable('verification')
    .set({ revokedAt: daysAgo(89) })
    .where('id', '=', validId)
    .execute();

  await deleteOldVerifications(t.db);
  expect((await find(gate.owner)).map(({ id }) => id)).toEqual([validId]);
  expect(await listDeleted(gate.owner)).toHaveLength(1);
  await t.db
    .updateTable('verification')
    .set({ revokedAt: daysAgo(91) })
    .execute();
  await t.db
    .updateTable('deletedMapping')
    .set({ deletedAt: daysAgo(89) })
    .execute();
  await deleteOldVerifications(t.db);
  await deleteOldMappingRecords(t.db);
  expect(await find(gate.owner)).toEqual([]);
  // A deleted mapping without records is not offered as a filter.
  expect(await listDeleted(gate.owner)).toEqual([]);
  expect(await t.db.selectFrom('deletedMapping').select('id').execute()).toHaveLength(1);
  await t.db
    .updateTable('deletedMapping')
    .set({ deletedAt: daysAgo(91) })
    .execute();
  await deleteOldMappingRecords(t.db);
  expect(await t.db.selectFrom('deletedMapping').select('id').execute()).toEqual([]);
});

test('old records are deleted in batches, and locked ones are skipped', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const longAgo = sql<Date>`now() - interval '91 days'`;
  const { userId: ownerId, deviceId, mappingId } = gate;
  const place = { ownerId, deviceId, mappingId, host: 'nas.localhost', visitorIp: '203.0.113.9', userAgent: '' };
  const old = { ...place, expiresAt: longAgo, cookieExpiresAt: longAgo };
  await t.db.insertInto('verification').values([old, old, old, old, old, old]).execute();
  await sql`
    create function refuse_many() returns trigger language plpgsql as $$
    begin if (select count(*) from deleted) > 2 then raise 'more than two at once'; end if; return null; end $$`.execute(
    t.db,
  );
  await sql`
    create trigger refuse_many after delete on verification referencing old table as deleted
    for each statement execute function refuse_many()`.execute(t.db);

  const first = t.db.selectFrom('verification').select('id').orderBy('id').limit(1);
  const locked = await t.db.transaction().execute(async (tx) => {
    const row = await tx.selectFrom('verification').where('id', '=', first).select('id').forUpdate().execute();
    await deleteOldVerifications(t.db, { batchSize: 2 });
    return row;
  });

  expect(await t.db.selectFrom('verification').select('id').execute()).toEqual(locked);
});
