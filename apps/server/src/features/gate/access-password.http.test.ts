import type { CheckReply } from '@tongtu/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { countAttempt } from '../../http/limits/failed-attempts.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import type { TestBrowser } from '../../testing/apps/open-test-app.ts';
import { queueHashing } from '../users/index.ts';
import { check, openGateApp, ticketOf } from '../../testing/apps/open-gate-app.ts';

const url = 'http://nas.localhost:8080/x';
const invalid = expect.objectContaining({ code: 'gate.ticket-invalid' });

/** Opens the check page first, so that the browser has the CSRF cookie. */
async function tryPassword(browser: TestBrowser, password: string, body: object = {}) {
  await check(browser);
  return await browser.call('POST', '/custom/check/', { url, password, ...body });
}

test('a visitor with the password comes in without an account, and the owner without the password', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t, { policy: 'password', password: 'sesame' });
  const visitor = gate.app.browser();

  expect(await check(visitor)).toMatchObject({ allowed: false, reason: 'password_required', logged_in: false });
  expect(await tryPassword(visitor, 'sesam')).toMatchObject({ status: 403, body: { code: 'gate.password-wrong' } });
  const { status, body } = await tryPassword(visitor, 'sesame');

  expect(status).toBe(200);
  expect(body).toMatchObject({ allowed: true, reason: 'ok' });
  await gate.redeem(ticketOf(body as CheckReply));
  expect(await gate.records()).toMatchObject([{ granted_by: 'password', who: '', kind: 'cookie' }]);
  expect(await check(gate.owner)).toMatchObject({ allowed: true, device: { name: 'NAS' } });
});

test('the password is stored as a hash and never returned', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const path = `/api/user/records/${gate.mappingId}/`;

  const refused = await gate.owner.call('PATCH', path, { policy: 'password' });
  const changed = await gate.owner.call('PATCH', path, { policy: 'password', password: 'open sesame' });

  expect(refused).toMatchObject({ status: 422, body: { errors: { password: ['请设置访问密码'] } } });
  expect(changed).toMatchObject({ status: 200, body: { policy: 'password', has_password: true } });
  expect(changed.text).not.toContain('sesame');
  const row = await t.db.selectFrom('mapping').select('passwordHash').executeTakeFirstOrThrow();
  expect(row.passwordHash).toMatch(/^\$argon2id\$/);
  // Another policy keeps the password, so that the owner can return to it.
  expect((await gate.owner.call('PATCH', path, { policy: 'owner' })).body).toMatchObject({ has_password: true });
  expect(await gate.owner.call('PATCH', path, { policy: 'password' })).toMatchObject({ status: 200 });
});

test.each([
  ['another password', { password: 'new sesame' }],
  ['another policy', { policy: 'owner' }],
])('%s ends verifications by the password, and unused tickets', async (_what, change) => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t, { policy: 'password', password: 'sesame' });
  const visitor = gate.app.browser();
  const used = ticketOf((await tryPassword(visitor, 'sesame')).body as CheckReply);
  const waiting = ticketOf((await tryPassword(visitor, 'sesame')).body as CheckReply);
  const ownTicket = ticketOf(await check(gate.owner));
  await gate.redeem(used);
  await gate.redeem(ownTicket);

  const changed = await gate.owner.call('PATCH', `/api/user/records/${gate.mappingId}/`, change);

  expect(changed.status).toBe(200);
  const ended = (await gate.records()).map(({ granted_by, revoked_at }) => [granted_by, revoked_at !== null]);
  expect(ended).toEqual([
    ['owner', false],
    ['password', true],
  ]);
  await expect(gate.redeem(waiting)).rejects.toThrow(invalid);
});

test('after three wrong passwords every client needs a captcha', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t, { policy: 'password', password: 'sesame' });
  for (const _ of [1, 2, 3]) await tryPassword(gate.app.browser(), 'guess');

  const without = await tryPassword(gate.app.browser(), 'sesame');
  const madeUp = await tryPassword(gate.app.browser(), 'sesame', { ticket: 'made up' });

  expect(without).toMatchObject({ status: 403, body: { code: 'captcha.required' } });
  expect(madeUp).toMatchObject({ status: 403, body: { code: 'captcha.ticket-expired' } });
});

const locked = 'gate.password-locked';

test('of 30 concurrent guesses ten are checked, then the network is locked for 15 minutes and others are not', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t, { policy: 'password', password: 'sesame' });
  const guessFrom = async (address: string) => await countAttempt(t.db, `mapping:${gate.mappingId}:${address}`, locked);

  const guesses = await Promise.allSettled(Array.from({ length: 30 }, () => guessFrom('203.0.113.9')));

  expect(guesses.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  const refused = await guessFrom('203.0.113.9').catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: locked, retryAfterSeconds: expect.closeTo(900, -2) });
  await expect(guessFrom('203.0.113.10')).resolves.toBeUndefined();
  await t.db
    .updateTable('failedAttempt')
    .set({ lastAt: sql<Date>`now() - interval '16 minutes'`, lockedUntil: sql<Date>`now() - interval '1 minute'` })
    .execute();
  await expect(guessFrom('203.0.113.9')).resolves.toBeUndefined();
});

test('a locked network gets Retry-After, with or without a captcha ticket', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t, { policy: 'password', password: 'sesame' });
  for (let tries = 0; tries < 10; tries++) await countAttempt(t.db, `mapping:${gate.mappingId}:127.0.0.1`);

  const reply = await tryPassword(gate.app.browser(), 'sesame');

  expect(reply).toMatchObject({ status: 429, body: { code: 'gate.password-locked' } });
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(800);
});

test('a password for a mapping without one changes nothing and is not counted', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);

  expect((await tryPassword(gate.app.browser(), 'x')).body).toMatchObject({ allowed: false, reason: 'login_required' });
  await t.db.updateTable('mapping').set({ policy: 'public' }).execute();
  expect((await tryPassword(gate.app.browser(), 'x')).body).toMatchObject({ allowed: true, reason: 'public' });
  await t.db.updateTable('mapping').set({ policy: 'closed' }).execute();
  expect((await tryPassword(gate.app.browser(), 'x')).body).toMatchObject({ allowed: false, reason: 'closed' });
  expect(await t.db.selectFrom('failedAttempt').select('failures').execute()).toEqual([]);
});

test('opening times and disabled mappings refuse every visitor, with their reason', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const set = async (values: object) => void (await t.db.updateTable('mapping').set(values).execute());

  await set({ opensAt: new Date('2999-01-01') });
  expect(await check(gate.owner)).toMatchObject({ allowed: false, reason: 'not_open_yet' });
  await set({ opensAt: null, closesAt: new Date('2001-01-01') });
  expect(await check(gate.owner)).toMatchObject({ allowed: false, reason: 'closed' });
  const otherDay = ((new Date().getUTCDay() + 2) % 7) + 1;
  await set({ closesAt: null, hoursDays: [otherDay], hoursFrom: 600, hoursTo: 605 });
  expect(await check(gate.owner)).toMatchObject({ allowed: false, reason: 'outside_hours' });
});

test('a client learns whether its address passes, at one mapping or at any', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const browser = gate.app.browser();
  await check(browser);
  const ask = async (body?: object) =>
    (await browser.call('POST', '/ip/checkUserDidRegisterIP', body, { 'x-forwarded-for': '203.0.113.9' })).body;

  expect(await ask({ url })).toEqual({ registered: false, ip: '203.0.113.9', expires_at: null });
  expect(await ask({})).toMatchObject({ registered: false });
  const path = `/api/user/records/${gate.mappingId}/verified_ip/`;
  await gate.owner.call('POST', path, undefined, { 'x-forwarded-for': '203.0.113.9' });
  expect(await ask({ url })).toMatchObject({ registered: true, expires_at: expect.any(String) });
  expect(await ask()).toMatchObject({ registered: true });
  await t.db.updateTable('mapping').set({ policy: 'closed' }).execute();
  expect(await ask({ url })).toMatchObject({ registered: false });
  await t.db.updateTable('mapping').set({ policy: 'owner' }).execute();
  await t.db.deleteFrom('verification').execute();
  await t.db
    .updateTable('device')
    .set({ allowList: ['203.0.113.0/24', '2001:db8::1'] })
    .execute();
  expect(await ask({ url })).toEqual({ registered: true, ip: '203.0.113.9', expires_at: null });
  expect(await ask({ url: 'http://evil.com/' })).toMatchObject({ code: 'gate.url-not-allowed' });
});

test('a network with a full hash queue is refused, and that is not counted as a guess', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t, { policy: 'password', password: 'sesame' });
  const held = Promise.withResolvers<void>();
  const take = async () => await queueHashing('network:127.0.0.1', async () => await held.promise);
  const waiting = Array.from({ length: 11 }, take);

  const refused = await tryPassword(gate.app.browser(), 'wrong');

  expect(refused).toMatchObject({ status: 429, body: { code: 'request.too-many' }, headers: { 'retry-after': '1' } });
  expect(await t.db.selectFrom('failedAttempt').select('failures').execute()).toEqual([]);
  held.resolve();
  await Promise.all(waiting);
  expect((await tryPassword(gate.app.browser(), 'sesame')).body).toMatchObject({ allowed: true });
});
