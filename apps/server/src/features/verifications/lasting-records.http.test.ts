import type { DeletedMapping, VerificationRecord } from '@tongtu/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { insertDevice, insertMapping, insertUser } from '../../testing/device-fixtures.ts';
import { check, openGateApp, ticketOf } from '../../testing/open-gate-app.ts';
import type { TestBrowser } from '../../testing/open-test-app.ts';
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

/** A browser and an address that were let in to `nas`, one of which is let in no more. */
async function letTwoIn(t: TestDb, gate: Gate) {
  const { verificationId: over } = await gate.redeem(ticketOf(await check(gate.owner)));
  const past = sql<Date>`now() - interval '1 hour'`;
  await t.db.updateTable('verification').set({ expiresAt: past }).execute();
  const { id: counts } = (await verifyAddress(gate, gate.mappingId, '203.0.113.7')).body as VerificationRecord;
  return { over, counts };
}

test('the records of a deleted mapping stay as they were; what it had let in has ended, and relays and pages hear of it', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { over, counts } = await letTwoIn(t, gate);
  const [before] = await find(gate.owner);
  const heard: string[] = [];
  const all = Promise.withResolvers<void>();
  const hear = (payload: string): void => void (heard.push(payload) === 3 && all.resolve());
  await using _devices = await t.listen('device_changed', hear, () => undefined);
  await using _pages = await t.listen('live', hear, () => undefined);

  await removeMapping(gate, gate.mappingId);

  const [ended, expired] = await find(gate.owner);
  expect(ended).toEqual({ ...before, mapping_deleted: true, revoked_at: expect.any(String) });
  expect(before).toMatchObject({ id: counts, router_name: 'NAS', router_deleted: false, mapping_deleted: false });
  expect(expired).toMatchObject({ id: over, host: 'nas.localhost', mapping_deleted: true, revoked_at: null });
  expect(await listDeleted(gate.owner)).toEqual([
    {
      ...{ id: gate.mappingId, kind: 'http', domain: 'nas.localhost', port: null },
      ...{ router: gate.deviceId, router_deleted: false, router_name: 'NAS', deleted_at: expect.any(String) },
    },
  ]);
  await all.promise;
  expect(heard.map((payload) => JSON.parse(payload))).toEqual(
    expect.arrayContaining([
      { deviceId: gate.deviceId, version: expect.any(String) },
      { userId: gate.userId, topic: 'devices' },
      { userId: gate.userId, topic: 'verifications' },
    ]),
  );
});

test('the records of a deleted device stay, with the name that it had in the end', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  await letTwoIn(t, gate);
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

test('records of what is deleted are found by device, mapping, state, grounds and text', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { over, counts } = await letTwoIn(t, gate);
  const deviceId = await insertDevice(t.db, gate);
  const cam = await insertMapping(t.db, { ...gate, deviceId, prefix: 'cam' });
  const { id: stays } = (await verifyAddress(gate, cam, '203.0.113.9')).body as VerificationRecord;
  await removeDevice(gate);
  const ids = async (query: string): Promise<number[]> => (await find(gate.owner, query)).map(({ id }) => id);

  expect(await ids('')).toEqual([stays, counts, over]);
  expect(await ids(`?router=${gate.deviceId}`)).toEqual([counts, over]);
  expect(await ids(`?mapping=${gate.mappingId}`)).toEqual([counts, over]);
  expect(await ids(`?router=${deviceId}&mapping=${cam}`)).toEqual([stays]);
  expect(await ids('?state=active')).toEqual([stays]);
  expect(await ids('?state=revoked')).toEqual([counts]);
  expect(await ids('?state=expired')).toEqual([over]);
  expect(await ids(`?router=${gate.deviceId}&granted_by=owner`)).toEqual([over]);
  expect(await ids('?search=nas.local')).toEqual([counts, over]);
  expect(await ids('?search=113.7')).toEqual([counts]);
});

test('what a deleted mapping or device can do no more is refused with its reason; ending what has ended is no mistake', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { over, counts } = await letTwoIn(t, gate);
  await removeMapping(gate, gate.mappingId);
  const refusal = (code: string) => ({ status: 409, body: { code, detail: expect.stringMatching(/已删除/) } });
  const refused = refusal('verification.address-deleted');
  const allow = async () =>
    await gate.owner.call('PATCH', `/api/user/routers/${gate.deviceId}/`, { allow_list: ['203.0.113.7'] });

  for (const id of [over, counts])
    expect(await gate.owner.call('PATCH', `${verifications}${id}/`, { extend_hours: 24 })).toMatchObject(refused);
  const before = await find(gate.owner, `?state=revoked`);
  expect(await gate.owner.call('DELETE', `${verifications}${counts}/`)).toMatchObject({ status: 200 });
  expect(await find(gate.owner, `?state=revoked`)).toEqual(before);
  expect(await allow()).toMatchObject({ status: 200 });
  await removeDevice(gate);
  expect(await allow()).toMatchObject(refusal('device.deleted'));
});

test('a stranger finds and changes nothing of it', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { over } = await letTwoIn(t, gate);
  await removeMapping(gate, gate.mappingId);
  const stranger = await gate.app.browserOf(await insertUser(t.db, 'zhao'));

  expect(await find(stranger)).toEqual([]);
  expect(await find(stranger, `?router=${gate.deviceId}`)).toEqual([]);
  expect(await listDeleted(stranger)).toEqual([]);
  expect(await stranger.call('GET', `${verifications}?mapping=${gate.mappingId}`)).toMatchObject({ status: 404 });
  expect(await stranger.call('PATCH', `${verifications}${over}/`, { extend_hours: 1 })).toMatchObject({ status: 404 });
  expect(await stranger.call('DELETE', `${verifications}${over}/`)).toMatchObject({ status: 404 });
  await removeDevice(gate);
  const device = `/api/user/routers/${gate.deviceId}/`;
  expect(await stranger.call('PATCH', device, { name: 'x' })).toMatchObject({ status: 404 });
});

test('a mapping that let nobody in leaves nothing behind', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  await removeMapping(gate, gate.mappingId);

  expect(await listDeleted(gate.owner)).toEqual([]);
  expect(await gate.owner.call('GET', `${verifications}?mapping=${gate.mappingId}`)).toMatchObject({
    status: 404,
    body: { code: 'mapping.not-found' },
  });
});

test('the 20 new networks of a day do not begin anew with another mapping', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  for (let n = 0; n < 20; n++) await verifyAddress(gate, gate.mappingId, `203.0.113.${n}`);
  await removeMapping(gate, gate.mappingId);
  const anew = await insertMapping(t.db, { ...gate, prefix: 'nas' });

  expect(await verifyAddress(gate, anew, '203.0.113.0')).toMatchObject({
    status: 429,
    body: { code: 'gate.verified-ip-limit' },
  });
  expect(await gate.owner.call('POST', `/api/user/records/${anew}/mark_client/`)).toMatchObject({ status: 429 });
});

test('records are gone 90 days after they have ended, however they ended', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { over, counts } = await letTwoIn(t, gate);
  await removeMapping(gate, gate.mappingId);
  const daysAgo = (days: number) => sql<Date>`now() - make_interval(days => ${days})`;
  await t.db
    .updateTable('verification')
    .set({ expiresAt: daysAgo(91) })
    .where('id', '=', over)
    .execute();
  await t.db
    .updateTable('verification')
    .set({ revokedAt: daysAgo(89) })
    .where('id', '=', counts)
    .execute();

  await deleteOldVerifications(t.db);
  expect((await find(gate.owner)).map(({ id }) => id)).toEqual([counts]);
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
  // Nobody is to choose what nothing is found for.
  expect(await listDeleted(gate.owner)).toEqual([]);
  expect(await t.db.selectFrom('deletedMapping').select('id').execute()).toHaveLength(1);
  await t.db
    .updateTable('deletedMapping')
    .set({ deletedAt: daysAgo(91) })
    .execute();
  await deleteOldMappingRecords(t.db);
  expect(await t.db.selectFrom('deletedMapping').select('id').execute()).toEqual([]);
});

test('however many records there are, those of 90 days ago go a few at a time, and wait for nobody', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const longAgo = sql<Date>`now() - interval '91 days'`;
  const { userId: ownerId, deviceId, mappingId } = gate;
  const place = { ownerId, deviceId, mappingId, host: 'nas.localhost', visitorIp: '203.0.113.9', userAgent: '' };
  const old = { ...place, expiresAt: longAgo, cookieExpiresAt: longAgo };
  await t.db.insertInto('verification').values([old, old, old, old, old, old]).execute();
  await sql`
    create function refuse_many() returns trigger language plpgsql as $$
    begin if (select count(*) from gone) > 2 then raise 'more than two at once'; end if; return null; end $$`.execute(
    t.db,
  );
  await sql`
    create trigger refuse_many after delete on verification referencing old table as gone
    for each statement execute function refuse_many()`.execute(t.db);

  const first = t.db.selectFrom('verification').select('id').orderBy('id').limit(1);
  const held = await t.db.transaction().execute(async (tx) => {
    const row = await tx.selectFrom('verification').where('id', '=', first).select('id').forUpdate().execute();
    await deleteOldVerifications(t.db, { atOnce: 2 });
    return row;
  });

  expect(await t.db.selectFrom('verification').select('id').execute()).toEqual(held);
});
