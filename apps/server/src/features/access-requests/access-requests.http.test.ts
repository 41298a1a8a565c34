import type { AccessRequest, CheckReply } from '@tongtu/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { check, openGateApp, ticketOf } from '../../testing/apps/open-gate-app.ts';
import type { TestBrowser } from '../../testing/apps/open-test-app.ts';
import { insertMapping, insertUser } from '../../testing/device-fixtures.ts';
import { deleteOldAccessRequests } from './index.ts';

type T = Awaited<ReturnType<typeof openTestDb>>;
type Gate = Awaited<ReturnType<typeof openGateApp>>;

const nas = 'http://nas.localhost:8080/x';

async function openWithFriend(t: T) {
  const gate = await openGateApp(t);
  const friendId = await insertUser(t.db, 'friend');
  return { gate, friendId, friend: await gate.app.browserOf(friendId) };
}

async function request(browser: TestBrowser, url = nas, message = '我是小王') {
  return await browser.call('POST', '/custom/check/request/', { url, message });
}

async function listed({ owner }: Gate): Promise<AccessRequest[]> {
  return (await owner.call('GET', '/api/user/access_requests/')).body as AccessRequest[];
}

async function firstId(gate: Gate): Promise<number> {
  const [first] = await listed(gate);
  if (first === undefined) throw new Error('there is no request');
  return first.id;
}

const allow = async (browser: TestBrowser, id: number, hours: number | null = null) =>
  await browser.call('POST', `/api/user/access_requests/${id}/allow/`, { valid_hours: hours });
const refuse = async (browser: TestBrowser, id: number) =>
  await browser.call('DELETE', `/api/user/access_requests/${id}/`);

async function subscribe(t: T, userId: number): Promise<void> {
  const channel = {
    userId,
    kind: 'webhook' as const,
    name: 'hook',
    targetSealed: Buffer.alloc(1),
    hint: '',
    hasSecret: false,
  };
  await t.db
    .insertInto('alertChannel')
    .values({ ...channel, events: ['access_request'] })
    .execute();
}

test('a request reaches the owner with an alert, and the account comes in as a member once it is allowed', async () => {
  await using t = await openTestDb();
  const { gate, friend } = await openWithFriend(t);
  await using _ = gate;
  await subscribe(t, gate.userId);
  expect(await check(friend)).toMatchObject({ reason: 'not_allowed' });

  expect(await request(friend)).toMatchObject({ status: 200, body: { ok: true } });

  expect(await check(friend)).toMatchObject({ reason: 'not_allowed', request: 'pending' });
  expect(await listed(gate)).toEqual([
    {
      ...{ id: expect.any(Number), mapping: gate.mappingId, router: gate.deviceId, domain: 'nas.localhost' },
      ...{ account: 'friend', message: '我是小王', created_at: expect.any(String) },
    },
  ]);
  const alerts = await t.db.selectFrom('alertDelivery').select(['event', 'details']).execute();
  expect(alerts).toMatchObject([
    { event: 'access_request', details: { account: 'friend', domain: 'nas.localhost', message: '我是小王' } },
  ]);

  expect((await allow(gate.owner, await firstId(gate))).status).toBe(200);
  expect(await listed(gate)).toEqual([]);
  await gate.redeem(ticketOf(await check(friend)));
  expect(await gate.records()).toMatchObject([{ granted_by: 'member', who: '@friend' }]);
  const { body } = await friend.call('GET', '/api/user/shared_with_me/');
  expect(body).toMatchObject([{ domain: 'nas.localhost' }]);
  const members = await gate.owner.call('GET', `/api/user/records/${gate.mappingId}/members/`);
  expect(members.body).toMatchObject([{ contact: '@friend', expires_at: null }]);
});

test('a member for a time is one no longer than that, and neither are its proofs valid longer', async () => {
  await using t = await openTestDb();
  const { gate, friend } = await openWithFriend(t);
  await using _ = gate;
  await request(friend);
  await allow(gate.owner, await firstId(gate), 1);

  const { expiresAtMs } = await gate.redeem(ticketOf(await check(friend)));
  expect(Math.round((expiresAtMs - Date.now()) / 60_000)).toBe(60);
  const waiting = ticketOf(await check(friend));
  await t.db
    .updateTable('mappingMember')
    .set({ expiresAt: sql<Date>`now()` })
    .execute();
  expect(await check(friend)).toMatchObject({ reason: 'not_allowed' });
  await expect(gate.redeem(waiting)).rejects.toThrow(expect.objectContaining({ code: 'gate.ticket-invalid' }));
  expect((await friend.call('GET', '/api/user/shared_with_me/')).body).toEqual([]);
});

test('removing an allowed account ends its access', async () => {
  await using t = await openTestDb();
  const { gate, friend } = await openWithFriend(t);
  await using _ = gate;
  await request(friend);
  await allow(gate.owner, await firstId(gate));
  const waiting = ticketOf(await check(friend));
  const { id } = await t.db.selectFrom('mappingMember').select('id').executeTakeFirstOrThrow();
  expect((await gate.owner.call('DELETE', `/api/user/members/${id}/`)).status).toBe(200);
  expect(await check(friend)).toMatchObject({ reason: 'not_allowed' });
  await expect(gate.redeem(waiting)).rejects.toThrow(expect.objectContaining({ code: 'gate.ticket-invalid' }));
});

test('an account that took the name of a member takes over neither the membership nor its proofs', async () => {
  await using t = await openTestDb();
  const { gate, friend, friendId } = await openWithFriend(t);
  await using _ = gate;
  await request(friend);
  await allow(gate.owner, await firstId(gate));
  await gate.redeem(ticketOf(await check(friend)));
  const waiting = ticketOf(await check(friend));
  const member = async () => await t.db.selectFrom('mappingMember').select(['id', 'userId']).execute();
  const [before] = await member();
  await t.db.updateTable('userAccount').set({ username: 'renamed' }).where('id', '=', friendId).execute();
  const nextId = await insertUser(t.db, 'friend');
  const next = await gate.app.browserOf(nextId);
  expect(await check(next)).toMatchObject({ reason: 'not_allowed' });

  await request(next);
  expect((await allow(gate.owner, await firstId(gate), 1)).status).toBe(200);

  const after = await member();
  expect(after).toEqual([{ id: expect.any(Number), userId: nextId }]);
  expect(after[0]?.id).not.toBe(before?.id);
  const proofs = t.db.selectFrom('verification').select(['userId', 'revokedAt']);
  expect(await proofs.execute()).toEqual([{ userId: friendId, revokedAt: expect.any(Date) }]);
  await expect(gate.redeem(waiting)).rejects.toThrow(expect.objectContaining({ code: 'gate.ticket-invalid' }));
  expect(await check(friend)).toMatchObject({ reason: 'not_allowed' });
  expect((await check(next)).allowed).toBe(true);
});

test('a refused account cannot ask again for a week', async () => {
  await using t = await openTestDb();
  const { gate, friend } = await openWithFriend(t);
  await using _ = gate;
  await request(friend);
  expect((await refuse(gate.owner, await firstId(gate))).status).toBe(200);
  expect(await listed(gate)).toEqual([]);
  expect(await check(friend)).toMatchObject({ reason: 'not_allowed', request: 'refused' });
  expect(await request(friend)).toMatchObject({ status: 409, body: { code: 'access-request.refused' } });

  await deleteOldAccessRequests(t.db);
  expect(await request(friend)).toMatchObject({ status: 409 });
  await t.db
    .updateTable('accessRequest')
    .set({ refusedAt: sql<Date>`now() - interval '7 days'` })
    .execute();
  expect((await check(friend)).request).toBeUndefined();
  expect((await request(friend)).status).toBe(200);
  expect(await listed(gate)).toHaveLength(1);
});

test('asking again changes nothing and alerts nobody, and an unanswered request ends after a month', async () => {
  await using t = await openTestDb();
  const { gate, friend } = await openWithFriend(t);
  await using _ = gate;
  await subscribe(t, gate.userId);
  await request(friend);
  expect((await request(friend, nas, 'again')).status).toBe(200);
  expect(await listed(gate)).toMatchObject([{ message: '我是小王' }]);
  expect(await t.db.selectFrom('alertDelivery').select('id').execute()).toHaveLength(1);

  await t.db
    .updateTable('accessRequest')
    .set({ createdAt: sql<Date>`now() - interval '30 days'` })
    .execute();
  expect(await listed(gate)).toEqual([]);
  await deleteOldAccessRequests(t.db);
  expect(await t.db.selectFrom('accessRequest').select('id').execute()).toEqual([]);
});

test.each([
  ['does not exist', 'http://none.localhost:8080/', {}],
  ['is no address', 'nonsense', {}],
  ['is public', nas, { policy: 'public' }],
  ['is closed', nas, { policy: 'closed' }],
  ['has TLS passthrough', nas, { tlsPassthrough: true, kind: 'https', prefix: null, customDomain: 'nas.localhost' }],
] as const)('a request for an address that %s has the same reply, and is not saved', async (_name, url, change) => {
  await using t = await openTestDb();
  const { gate, friend } = await openWithFriend(t);
  await using _ = gate;
  if (Object.keys(change).length > 0) await t.db.updateTable('mapping').set(change).execute();
  const startedMs = performance.now();
  expect(await request(friend, url)).toMatchObject({ status: 200, body: { ok: true } });
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(299);
  expect(await t.db.selectFrom('accessRequest').select('id').execute()).toEqual([]);
});

test('owner and members have nothing to ask for, and nobody asks without a login', async () => {
  await using t = await openTestDb();
  const { gate, friend, friendId } = await openWithFriend(t);
  await using _ = gate;
  await t.db
    .insertInto('mappingMember')
    .values({ mappingId: gate.mappingId, contact: '@friend', userId: friendId })
    .execute();
  expect((await request(friend)).status).toBe(200);
  expect((await request(gate.owner)).status).toBe(200);
  expect(await request(gate.app.browser())).toMatchObject({ status: 401 });
  expect(await request(friend, nas, 'x'.repeat(101))).toMatchObject({ status: 422 });
  expect(await t.db.selectFrom('accessRequest').select('id').execute()).toEqual([]);
});

test('many requests leave room for other alerts: five an hour are reported, and all are listed', async () => {
  await using t = await openTestDb();
  const { gate, friend } = await openWithFriend(t);
  await using _ = gate;
  await subscribe(t, gate.userId);
  const reported = async () => await t.db.selectFrom('alertDelivery').select('id').execute();
  for (let n = 0; n < 6; n++) {
    await insertMapping(t.db, { ...gate, prefix: `cam${n}` });
    await request(friend, `http://cam${n}.localhost:8080/`);
  }
  expect(await reported()).toHaveLength(5);
  expect(await listed(gate)).toHaveLength(6);

  await sql`update alert_delivery set created_at = now() - interval '1 hour'`.execute(t.db);
  await request(friend);
  expect(await reported()).toHaveLength(6);
});

test('an account has 10 requests a day, also for addresses that do not exist', async () => {
  await using t = await openTestDb();
  const { gate, friend } = await openWithFriend(t);
  await using _ = gate;
  await Promise.all(Array.from({ length: 10 }, async () => await request(friend, 'http://none.localhost:8080/')));
  expect(await request(friend)).toMatchObject({ status: 429, body: { code: 'access-request.daily-limit' } });
});

test('beyond 20 requests a day for one mapping, further ones are dropped with the same reply', async () => {
  await using t = await openTestDb();
  const { gate, friend } = await openWithFriend(t);
  await using _ = gate;
  for (let n = 0; n < 20; n++) {
    const userId = await insertUser(t.db, `account-${n}`);
    await t.db.insertInto('accessRequest').values({ mappingId: gate.mappingId, userId }).execute();
  }
  expect(await request(friend)).toMatchObject({ status: 200, body: { ok: true } });
  expect(await listed(gate)).toHaveLength(20);
});

test('only the owner sees and answers a request, and only once', async () => {
  await using t = await openTestDb();
  const { gate, friend } = await openWithFriend(t);
  await using _ = gate;
  await request(friend);
  const id = await firstId(gate);
  expect((await friend.call('GET', '/api/user/access_requests/')).body).toEqual([]);
  const notFound = { status: 404, body: { code: 'access-request.not-found' } };
  expect(await allow(friend, id)).toMatchObject(notFound);
  expect(await refuse(friend, id)).toMatchObject(notFound);
  const both = await Promise.all([allow(gate.owner, id), refuse(gate.owner, id)]);
  expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 404]);
  expect(await allow(gate.owner, id)).toMatchObject(notFound);
});

test('a request ends with its mapping and with its account', async () => {
  await using t = await openTestDb();
  const { gate, friend, friendId } = await openWithFriend(t);
  await using _ = gate;
  const cam = await insertMapping(t.db, { ...gate, prefix: 'cam' });
  await request(friend);
  await request(friend, 'http://cam.localhost:8080/');
  await gate.owner.call('DELETE', `/api/user/records/${cam}/`);
  expect(await listed(gate)).toMatchObject([{ domain: 'nas.localhost' }]);
  await t.db.deleteFrom('userAccount').where('id', '=', friendId).execute();
  expect(await listed(gate)).toEqual([]);
});

test('an account whose name looks like an e-mail address does not let in the owner of that address', async () => {
  await using t = await openTestDb();
  const { gate } = await openWithFriend(t);
  await using _ = gate;
  const named = await gate.app.browserOf(await insertUser(t.db, 'zhao@example.com'));
  const zhaoId = await insertUser(t.db, 'zhao');
  await t.db.updateTable('userAccount').set({ email: 'zhao@example.com' }).where('id', '=', zhaoId).execute();
  await request(named);
  await allow(gate.owner, await firstId(gate));
  expect(((await check(await gate.app.browserOf(zhaoId))) satisfies CheckReply).reason).toBe('not_allowed');
  expect((await check(named)).allowed).toBe(true);
});
