import type { ShareLink } from '@tongtu/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertMapping, insertUser } from '../../testing/device-fixtures.ts';
import { check, openGateApp, ticketOf } from '../../testing/apps/open-gate-app.ts';

type Gate = Awaited<ReturnType<typeof openGateApp>>;

async function share({ owner, mappingId }: Gate, body: object = {}) {
  const path = `/api/user/records/${mappingId}/shares/`;
  const reply = await owner.call('POST', path, { valid_hours: 24, label: '给爸妈', ...body });
  return { ...reply, link: reply.body as ShareLink };
}

function codeOf({ url }: ShareLink): string {
  const { origin, pathname } = new URL(url);
  expect(origin).toBe('http://localhost:8080');
  return /^\/s\/([\w-]{22})$/.exec(pathname)?.[1] ?? '';
}

test('a visitor with the link comes in without an account until its uses are exhausted', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { status, link } = await share(gate, { max_uses: 2 });
  const code = codeOf(link);

  expect(status).toBe(201);
  expect(link).toMatchObject({ label: '给爸妈', max_uses: 2, uses: 0, revoked_at: null });
  for (const _ of [1, 2]) await gate.redeem(ticketOf(await check(gate.app.browser(), code)));
  expect(await check(gate.app.browser(), code)).toMatchObject({ allowed: false, reason: 'share_ended' });
  expect(await gate.records()).toMatchObject([
    { granted_by: 'share', who: '给爸妈' },
    { granted_by: 'share', who: '给爸妈' },
  ]);
  const { body } = await gate.owner.call('GET', `/api/user/records/${gate.mappingId}/shares/`);
  expect(body).toEqual([{ ...link, uses: 2 }]);
});

test('a session without a confirmation sees the links, and not their addresses', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { link } = await share(gate);
  await t.db
    .updateTable('session')
    .set({ confirmedUntil: new Date(0) })
    .execute();
  const code = codeOf(link);

  const listed = await gate.owner.call('GET', `/api/user/records/${gate.mappingId}/shares/`);
  expect(listed.body).toEqual([{ ...link, url: null }]);
  const one = await gate.owner.call('GET', `/api/user/shares/${link.id}/`);
  expect(one).toMatchObject({ status: 403, body: { code: 'session.confirm-required' } });
  expect(`${listed.text}${one.text}`).not.toContain(code);

  await t.db
    .updateTable('session')
    .set({ confirmedUntil: new Date(Date.now() + 600_000) })
    .execute();
  expect((await gate.owner.call('GET', `/api/user/shares/${link.id}/`)).body).toEqual(link);
});

test('a browser with a proof by the link is not counted again, and a proof for another link does not count', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const code = codeOf((await share(gate, { max_uses: 2 })).link);
  const other = codeOf((await share(gate)).link);
  const ticketFor = async (shared: string) => ticketOf(await check(gate.app.browser(), shared));
  const usesLeftOpen = async () => (await check(gate.app.browser(), code)).allowed;
  const waiting = await ticketFor(code);

  const held = await gate.redeem(await ticketFor(code));
  const again = await gate.redeem(await ticketFor(code), held);
  expect(await usesLeftOpen()).toBe(true);
  const byOther = await gate.redeem(await ticketFor(other));
  await gate.redeem(await ticketFor(code), byOther);
  expect(await usesLeftOpen()).toBe(false);
  // Its ticket was issued before the other visitors came.
  expect(await gate.redeem(waiting, again)).toMatchObject({ mappingId: gate.mappingId });
});

test('of two concurrent browsers one gets the last use', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const code = codeOf((await share(gate, { max_uses: 1 })).link);
  const tickets = [ticketOf(await check(gate.app.browser(), code)), ticketOf(await check(gate.app.browser(), code))];

  const results = await Promise.allSettled(tickets.map((ticket) => gate.redeem(ticket)));

  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await gate.records()).toHaveLength(1);
  expect(await t.db.selectFrom('shareLink').select('uses').execute()).toEqual([{ uses: 1 }]);
});

test('a proof by link ends with the link if that is sooner than 48 hours', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const hours = async (valid: number): Promise<number> => {
    const code = codeOf((await share(gate, { valid_hours: valid })).link);
    const { expiresAtMs } = await gate.redeem(ticketOf(await check(gate.app.browser(), code)));
    return Math.round((expiresAtMs - Date.now()) / 3_600_000);
  };
  expect(await hours(1)).toBe(1);
  expect(await hours(8_760)).toBe(48);
});

test('revoking a link refuses new visitors, revokes its verifications, and notifies relays', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { link } = await share(gate);
  const code = codeOf(link);
  await gate.redeem(ticketOf(await check(gate.app.browser(), code)));
  await gate.redeem(ticketOf(await check(gate.owner)));
  const waiting = ticketOf(await check(gate.app.browser(), code));
  const changed = Promise.withResolvers<string>();
  await t.listen('device_changed', changed.resolve, () => undefined);

  expect(await gate.owner.call('DELETE', `/api/user/shares/${link.id}/`)).toMatchObject({ status: 200 });

  expect(JSON.parse(await changed.promise)).toMatchObject({ deviceId: gate.deviceId });
  expect(await check(gate.app.browser(), code)).toMatchObject({ reason: 'share_ended' });
  await expect(gate.redeem(waiting)).rejects.toThrow(expect.objectContaining({ code: 'gate.ticket-invalid' }));
  expect((await gate.records()).map((row) => [row.granted_by, row.revoked_at !== null])).toEqual([
    ['owner', false],
    ['share', true],
  ]);
});

test('the database holds no usable code, and a code opens its own mapping only', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const code = codeOf((await share(gate)).link);
  expect(Buffer.from(code, 'base64url')).toHaveLength(16);
  const row = await t.db.selectFrom('shareLink').selectAll().executeTakeFirstOrThrow();
  expect(JSON.stringify(row)).not.toContain(code);
  expect(row.codeSealed.includes(code)).toBe(false);

  await t.db
    .updateTable('shareLink')
    .set({ expiresAt: sql<Date>`now()` })
    .execute();
  expect(await check(gate.app.browser(), code)).toMatchObject({ reason: 'share_ended' });
  await t.db.updateTable('mapping').set({ prefix: 'old' }).execute();
  await insertMapping(t.db, { ...gate, prefix: 'nas' });
  await t.db
    .updateTable('shareLink')
    .set({ expiresAt: sql<Date>`now() + interval '1 hour'` })
    .execute();
  expect(await check(gate.app.browser(), code)).toMatchObject({ reason: 'share_ended' });
  expect(await check(gate.app.browser(), 'x'.repeat(22))).toMatchObject({ reason: 'share_ended' });
});

test('the owner comes in as the owner and uses up no share link', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const code = codeOf((await share(gate, { max_uses: 1 })).link);

  await gate.redeem(ticketOf(await check(gate.owner, code)));

  expect(await gate.records()).toMatchObject([{ granted_by: 'owner' }]);
  expect(await t.db.selectFrom('shareLink').select('uses').execute()).toEqual([{ uses: 0 }]);
});

test("a tcp mapping cannot be shared, links have a limit, and other users' links are not found", async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const tcp = await insertMapping(t.db, { ...gate, kind: 'tcp', port: 20_001 });
  const otherUser = await gate.app.browserOf(await insertUser(t.db, 'zhao'));
  const { link } = await share(gate);

  expect(await share({ ...gate, mappingId: tcp })).toMatchObject({ status: 409, body: { code: 'share.not-possible' } });
  for (const [method, path] of [
    ['GET', `/api/user/records/${gate.mappingId}/shares/`],
    ['DELETE', `/api/user/shares/${link.id}/`],
    ['GET', `/api/user/records/${gate.mappingId}/members/`],
    ['GET', `/api/user/records/${gate.mappingId}/mark_client/`],
    ['DELETE', `/api/user/records/${gate.mappingId}/mark_client/`],
  ] as const)
    expect((await otherUser.call(method, path)).status, path).toBe(404);
  const seed = Array.from({ length: 49 }, (_, n) => ({
    ...{ mappingId: gate.mappingId, codeHash: Buffer.alloc(32, n + 1), codeSealed: Buffer.alloc(1) },
    expiresAt: sql<Date>`now() + interval '1 hour'`,
  }));
  await t.db.insertInto('shareLink').values(seed).execute();
  expect(await share(gate)).toMatchObject({ status: 409, body: { code: 'share.limit-reached' } });
});

test('an owner creates 200 links a day, and refused ones do not count', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const seed = (count: number, from: number) =>
    Array.from({ length: count }, (_, n) => {
      const codeHash = Buffer.alloc(32);
      codeHash.writeUInt32BE(from + n);
      const ended = { expiresAt: sql<Date>`now() + interval '1 hour'`, revokedAt: sql<Date>`now()` };
      return { ...ended, mappingId: gate.mappingId, codeHash, codeSealed: Buffer.alloc(1) };
    });
  await t.db.insertInto('shareLink').values(seed(199, 1)).execute();
  for (let i = 0; i < 3; i++) expect((await share(gate, { valid_hours: 0 })).status).toBe(422);
  const other = await insertMapping(t.db, { ...gate, kind: 'tcp', port: 20_001 });
  expect((await share({ ...gate, mappingId: other })).status).toBe(409);

  expect((await share(gate)).status).toBe(201);
  const refused = await share({ ...gate, mappingId: await insertMapping(t.db, { ...gate, prefix: 'cam' }) });
  expect(refused).toMatchObject({ status: 429, body: { code: 'share.daily-limit' } });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000);
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(86_400);

  const dayAgo = sql`now() - interval '24 hours'`;
  await sql`update share_link set created_at = ${dayAgo} where id = (select min(id) from share_link)`.execute(t.db);
  expect((await share(gate)).status).toBe(201);
  expect((await share(gate)).status).toBe(429);
});

test('concurrent calls create no more links than the daily limit', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const prefixes = ['a1', 'a2', 'a3', 'a4', 'a5'];
  const mappings: number[] = [];
  for (const prefix of prefixes) mappings.push(await insertMapping(t.db, { ...gate, prefix }));
  const seed = Array.from({ length: 197 }, (_, n) => ({
    ...{ mappingId: gate.mappingId, codeHash: Buffer.alloc(32, n + 1), codeSealed: Buffer.alloc(1) },
    ...{ expiresAt: sql<Date>`now() + interval '1 hour'`, revokedAt: sql<Date>`now()` },
  }));
  await t.db.insertInto('shareLink').values(seed).execute();

  const replies = await Promise.all(mappings.map(async (mappingId) => await share({ ...gate, mappingId })));

  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 201, 429, 429]);
});
