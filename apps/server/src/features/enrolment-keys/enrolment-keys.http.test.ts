import { randomBytes } from 'node:crypto';
import type { EnrolmentKey } from '@tongtu/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { runBothWhileLocked } from '../../testing/run-both-while-locked.ts';
import { insertServer } from '../../testing/device-fixtures.ts';
import { insertAccount } from '../../testing/apps/open-account-app.ts';
import { openTestApp, type TestApp, type TestBrowser } from '../../testing/apps/open-test-app.ts';
import { enrolDevice } from '../devices/index.ts';
import { resetPassword } from '../users/index.ts';
import { useEnrolmentKey } from './enrolment-key.ts';
import { registerEnrolmentKeyRoutes } from './enrolment-key-routes.ts';
import { deleteOldEnrolmentKeys } from './enrolment-key-store.ts';

const path = '/api/user/enrolment_keys/';
const refused = { code: 'enrolment.token-invalid' };

/** An account with its browser, and agents that enrol with a token. */
async function openHome() {
  await using stack = new AsyncDisposableStack();
  const t = stack.use(await openTestDb());
  const userId = await insertAccount(t.db);
  const serverId = await insertServer(t.db);
  const app: TestApp = stack.use(await openTestApp(t.db, (routes) => registerEnrolmentKeyRoutes(routes, { db: t.db })));
  const browser = await app.browserOf(userId);
  const enrol = async (token: string, name = 'NAS') =>
    await enrolDevice(
      { db: t.db, claimToken: useEnrolmentKey },
      { token, publicKey: randomBytes(32).toString('base64url'), name, serverId },
    );
  const opened = stack.move();
  return {
    ...{ t, db: t.db, app, browser, userId, enrol },
    [Symbol.asyncDispose]: async () => await opened.disposeAsync(),
  };
}

type Fields = Partial<{ name: string; device_name: string; is_reusable: boolean; valid_hours: number }>;

async function create(
  browser: TestBrowser,
  fields: Fields = {},
): Promise<{ key: string; enrolment_key: EnrolmentKey }> {
  const reply = await browser.call('POST', path, { name: '门店', is_reusable: false, valid_hours: 1, ...fields });
  if (reply.status !== 201) throw new Error(`no key: ${reply.text}`);
  return reply.body as { key: string; enrolment_key: EnrolmentKey };
}

async function listDeviceNames(db: Db): Promise<string[]> {
  return (await db.selectFrom('device').select('name').orderBy('id').execute()).map(({ name }) => name);
}

async function listKeys(browser: TestBrowser): Promise<EnrolmentKey[]> {
  return (await browser.call('GET', path)).body as EnrolmentKey[];
}

const expire = async (db: Db) =>
  await sql`update enrolment_key set expires_at = now() - interval '1 second'`.execute(db);

test('a single-use key enrols one device, and the list says so', async () => {
  await using home = await openHome();
  const { key, enrolment_key: created } = await create(home.browser);
  expect(key).toMatch(/^te_[\w-]{43}$/);
  expect(created).toMatchObject({ name: '门店', hint: key.slice(0, 9), use_count: 0, state: 'active' });

  await home.enrol(key);
  await expect(home.enrol(key)).rejects.toMatchObject(refused);

  expect(await listDeviceNames(home.db)).toEqual(['NAS']);
  expect(await listKeys(home.browser)).toMatchObject([
    { id: created.id, use_count: 1, state: 'used', last_used_at: expect.any(String) },
  ]);
});

test('of twenty agents that use a single-use key at once exactly one enrols', async () => {
  await using home = await openHome();
  const { key } = await create(home.browser);

  const results = await Promise.allSettled(Array.from({ length: 20 }, () => home.enrol(key)));

  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const reasons = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason.code);
  expect(new Set(reasons)).toEqual(new Set([refused.code]));
  expect(await listDeviceNames(home.db)).toHaveLength(1);
  expect(await listKeys(home.browser)).toMatchObject([{ use_count: 1 }]);
});

test('an agent that waits for the use of a single-use key enrols when that use is rolled back', async () => {
  await using home = await openHome();
  const { key } = await create(home.browser);

  const [first, second] = await runBothWhileLocked(
    home.t,
    async (tx) => await useEnrolmentKey(tx, key),
    async () => await home.enrol(key),
    async () => await home.enrol(key),
  );

  expect([first.status, second.status].toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('the database refuses a second use of a single-use key', async () => {
  await using home = await openHome();
  const { key } = await create(home.browser);
  await home.enrol(key);

  await expect(sql`update enrolment_key set use_count = 2`.execute(home.db)).rejects.toThrow(
    /enrolment_key_single_use/,
  );
});

test('a reusable key enrols devices until it expires, each under the name that the key gives', async () => {
  await using home = await openHome();
  const { key } = await create(home.browser, { is_reusable: true, device_name: '收银台' });

  for (let i = 0; i < 3; i++) await home.enrol(key, `host${i}`);
  expect(await listDeviceNames(home.db)).toEqual(['收银台', '收银台 2', '收银台 3']);
  expect(await listKeys(home.browser)).toMatchObject([{ use_count: 3, state: 'active' }]);

  await expire(home.db);
  await expect(home.enrol(key)).rejects.toMatchObject(refused);
  expect(await listKeys(home.browser)).toMatchObject([{ use_count: 3, state: 'expired' }]);
});

test('a revoked, malformed or unknown key enrols nothing', async () => {
  await using home = await openHome();
  const { key, enrolment_key: created } = await create(home.browser, { is_reusable: true });
  await home.enrol(key);

  expect((await home.browser.call('DELETE', `${path}${created.id}/`)).status).toBe(200);
  for (const token of [key, key.slice(0, -1), `te_${'x'.repeat(43)}`, 'te_', ''])
    await expect(home.enrol(token)).rejects.toMatchObject(refused);

  expect(await listDeviceNames(home.db)).toHaveLength(1); // the enrolled device stays
  expect(await home.browser.call('DELETE', `${path}${created.id}/`)).toMatchObject({
    status: 404,
    body: { code: 'enrolment-key.not-found' },
  });
});

test('a device that cannot be added does not use the key up', async () => {
  await using home = await openHome();
  const { key } = await create(home.browser);
  const other = await insertAccount(home.db, { username: 'wang' });
  const publicKey = randomBytes(32);
  const { id: serverId } = await home.db.selectFrom('server').select('id').executeTakeFirstOrThrow();
  await home.db
    .insertInto('device')
    .values({ userId: other, serverId, uid: '0123456789ab', name: 'x', publicKey })
    .execute();

  const enrolment = { token: key, publicKey: publicKey.toString('base64url'), name: 'NAS', serverId };
  await expect(enrolDevice({ db: home.db, claimToken: useEnrolmentKey }, enrolment)).rejects.toMatchObject({
    code: 'enrolment.key-in-use',
  });

  await home.enrol(key);
});

test('a key of a disabled account enrols nothing, and is not used up by that', async () => {
  await using home = await openHome();
  const { key } = await create(home.browser);
  await home.db.updateTable('userAccount').set({ disabledAt: new Date() }).execute();
  await expect(home.enrol(key)).rejects.toMatchObject(refused);

  await home.db.updateTable('userAccount').set({ disabledAt: null }).execute();
  await home.enrol(key);
});

test('another account neither sees nor revokes a key', async () => {
  await using home = await openHome();
  const { key, enrolment_key: created } = await create(home.browser);
  const other = await home.app.browserOf(await insertAccount(home.db, { username: 'wang' }));

  expect(await listKeys(other)).toEqual([]);
  expect(await other.call('DELETE', `${path}${created.id}/`)).toMatchObject({ status: 404 });
  expect(await home.app.browser().call('GET', path)).toMatchObject({ status: 401 });

  await home.enrol(key);
});

test('the database holds no usable key', async () => {
  await using home = await openHome();
  const { key } = await create(home.browser);

  const { rows } = await sql<{ row: string }>`select enrolment_key::text as row from enrolment_key`.execute(home.db);

  expect(rows[0]?.row).not.toContain(key);
  expect((await home.browser.call('GET', path)).text).not.toContain(key);
});

test('an account has fifty keys that enrol, also when many are requested at once; ended ones do not count', async () => {
  await using home = await openHome();
  await sql`
    insert into enrolment_key (user_id, name, hint, key_hash, is_reusable, expires_at)
    select ${home.userId}, 'x', 'te_x', sha256(i::text::bytea), false, now() + interval '1 hour'
    from generate_series(1, 48) as i`.execute(home.db);
  const body = { name: '门店', is_reusable: false, valid_hours: 1 };

  const replies = await Promise.all(Array.from({ length: 4 }, () => home.browser.call('POST', path, body)));

  expect(replies.filter(({ status }) => status === 201)).toHaveLength(2);
  expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'enrolment-key.limit-reached' });
  await expire(home.db);
  await create(home.browser);
  expect(await listKeys(home.browser)).toHaveLength(1); // those that have expired unused are not listed
});

test('the list has the newest twenty used keys', async () => {
  await using home = await openHome();
  for (let i = 0; i < 22; i++)
    await sql`
      insert into enrolment_key (user_id, name, hint, key_hash, is_reusable, expires_at, use_count, last_used_at)
      values (${home.userId}, ${`k${i}`}, 'te_x', sha256(${String(i)}::bytea), false, now(), 1, now())`.execute(
      home.db,
    );

  await create(home.browser);

  const keys = await listKeys(home.browser);
  expect(keys).toHaveLength(21);
  expect(keys.at(-1)).toMatchObject({ name: 'k2', state: 'used' });
});

test.each([
  { valid_hours: 0 },
  { valid_hours: 8_761 },
  { valid_hours: 1.5 },
  { name: '' },
  { name: 'x'.repeat(41) },
  { device_name: '\u202Ex' },
])('a key with %j is refused', async (fields) => {
  await using home = await openHome();
  const body = { name: '门店', is_reusable: false, valid_hours: 1, ...fields };
  expect((await home.browser.call('POST', path, body)).status).toBe(422);
});

test('a reset password deletes the keys, because somebody else may have made them', async () => {
  await using home = await openHome();
  const { key } = await create(home.browser, { is_reusable: true });

  await resetPassword(home.db, home.userId, 'another good one');

  await expect(home.enrol(key)).rejects.toMatchObject(refused);
});

test('a session that a reset of the password ends no longer gets a key', async () => {
  await using home = await openHome();
  const input = { name: '门店', is_reusable: true, valid_hours: 1 };

  const [reset, created] = await runBothWhileLocked(
    home.t,
    async (tx) => await tx.selectFrom('userAccount').select('id').forUpdate().execute(),
    async () => await resetPassword(home.db, home.userId, 'another good one'),
    async () => await home.browser.call('POST', path, input),
  );

  expect(reset).toMatchObject({ status: 'fulfilled' });
  expect(created).toMatchObject({ value: { status: 401, body: { code: 'session.required' } } });
  expect(await home.db.selectFrom('enrolmentKey').select('id').execute()).toEqual([]);
});

test('ended keys are deleted 30 days later, unused ones at once; others stay', async () => {
  await using home = await openHome();
  const { key } = await create(home.browser, { name: 'used', valid_hours: 8_760 });
  await home.enrol(key);
  const reusable = await create(home.browser, { name: 'reusable', is_reusable: true, valid_hours: 8_760 });
  await home.enrol(reusable.key);
  await create(home.browser, { name: 'unused' });
  const listKept = async () => {
    await deleteOldEnrolmentKeys(home.db);
    const rows = await home.db.selectFrom('enrolmentKey').select('name').orderBy('id').execute();
    return rows.map(({ name }) => name);
  };
  const pass = async (days: number) =>
    await sql`
      update enrolment_key set
        last_used_at = last_used_at - make_interval(days => ${days}),
        expires_at = expires_at - make_interval(days => ${days})`.execute(home.db);

  expect(await listKept()).toEqual(['used', 'reusable', 'unused']);
  await pass(29);
  expect(await listKept()).toEqual(['used', 'reusable']);
  await pass(2);
  expect(await listKept()).toEqual(['reusable']);
  await pass(360); // it expired 26 days ago
  expect(await listKept()).toEqual(['reusable']);
  await pass(5);
  expect(await listKept()).toEqual([]);
});
