import { type ApiToken, apiScopes } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { mount } from '../../http/mount.ts';
import { insertAccount } from '../../testing/apps/open-account-app.ts';
import { openTestApp, type TestApp, type TestBrowser } from '../../testing/apps/open-test-app.ts';
import type { Db } from '../../db/driver.ts';
import { registerApiTokenRoutes } from './api-token-routes.ts';

const list = '/api/user/api_tokens/';

/** Serves a reading, a changing, a sharing and an unscoped call. */
async function openTokenApp(db: Db): Promise<TestApp> {
  return await openTestApp(db, (app) => {
    registerApiTokenRoutes(app, { db });
    mount(app, 'GET /api/user/servers/', { login: 'required' }, async ({ session }) => [
      { id: session.userId, name: 'n', suffix: 's', isp: '', load: 0, state: 'up' as const, maintenance: false },
    ]);
    mount(app, 'DELETE /api/user/routers/{id}/', { login: 'required' }, async () => ({ ok: true as const }));
    mount(app, 'GET /api/user/records/{id}/shares/', { login: 'required' }, async () => []);
    mount(app, 'GET /api/login_status/', { login: 'optional' }, async ({ session }) => ({
      logged_in: session !== undefined,
      id: session?.userId ?? 0,
    }));
  });
}

async function createToken(
  browser: TestBrowser,
  fields: Partial<{ scopes: string[]; valid_days: number | null }> = {},
) {
  const reply = await browser.call('POST', list, { name: '备份', scopes: ['devices:read'], valid_days: 30, ...fields });
  if (reply.status !== 201) throw new Error(`no token: ${reply.text}`);
  return reply.body as { token: string; api_token: ApiToken };
}

/** The headers of a program: no cookie, no CSRF header, no Origin. */
const program = (token: string) => ({
  authorization: `Bearer ${token}`,
  origin: undefined,
  'sec-fetch-site': undefined,
  'x-csrftoken': undefined,
});

test.each([1, 30, 365])('a token for %i days expires after so many days', async (days) => {
  await using t = await openTestDb();
  await using app = await openTokenApp(t.db);
  const browser = await app.browserOf(await insertAccount(t.db));

  const { api_token: made } = await createToken(browser, { valid_days: days });

  const hours = (Date.parse(made.expires_at ?? '') - Date.parse(made.created_at)) / 3_600_000;
  // A day with a clock change has an hour more or less.
  expect(Math.round(hours / 24)).toBe(days);
});

test('a token is shown once, makes the calls that its scopes allow, and needs neither cookie nor CSRF header', async () => {
  await using t = await openTestDb();
  await using app = await openTokenApp(t.db);
  const id = await insertAccount(t.db);
  const browser = await app.browserOf(id);

  const { token, api_token: shown } = await createToken(browser, { scopes: ['devices:read', 'devices:read'] });
  const read = await app.browser().call('GET', '/api/user/servers/', undefined, program(token));
  const write = await app.browser().call('DELETE', '/api/user/routers/1/', undefined, program(token));
  const own = await app.browser().call('GET', list, undefined, program(token));

  expect(token).toMatch(/^tt_api_[\w-]{43}$/);
  expect(shown).toMatchObject({ name: '备份', hint: token.slice(0, 12), scopes: ['devices:read'], last_used_at: null });
  expect(read).toMatchObject({ status: 200, body: [{ id }] });
  expect(read.headers['set-cookie']).toBeUndefined();
  const refused = { status: 403, body: { code: 'session.scope' } };
  for (const reply of [write, own]) expect(reply).toMatchObject(refused);
  const writer = await createToken(browser, { scopes: ['devices:write'] });
  const written = await app.browser().call('DELETE', '/api/user/routers/1/', undefined, program(writer.token));
  expect(written).toMatchObject({ status: 200, body: { ok: true } });
  expect((await browser.call('GET', list)).text).not.toContain(token);
  const { tokenHash } = await t.db.selectFrom('apiToken').select('tokenHash').executeTakeFirstOrThrow();
  expect(tokenHash.includes(token)).toBe(false);
});

test('a token with all other scopes cannot read who may visit', async () => {
  await using t = await openTestDb();
  await using app = await openTokenApp(t.db);
  const browser = await app.browserOf(await insertAccount(t.db));
  const readShares = async (token: string) =>
    await app.browser().call('GET', '/api/user/records/1/shares/', undefined, program(token));
  const others = apiScopes.filter((scope) => scope !== 'access:write');

  const without = await readShares((await createToken(browser, { scopes: others })).token);
  const allowed = await readShares((await createToken(browser, { scopes: ['access:write'] })).token);

  expect(without).toMatchObject({ status: 403, body: { code: 'session.scope' } });
  expect(allowed).toMatchObject({ status: 200, body: [] });
});

test('a call with a token ignores the session cookie', async () => {
  await using t = await openTestDb();
  await using app = await openTokenApp(t.db);
  const id = await insertAccount(t.db);
  const { token } = await createToken(await app.browserOf(id), { scopes: ['devices:read'] });
  const other = await app.browserOf(await insertAccount(t.db, { username: 'wang' }));

  const both = await other.call('GET', '/api/user/servers/', undefined, { authorization: `Bearer ${token}` });
  const wrong = await other.call('GET', '/api/user/servers/', undefined, { authorization: 'Bearer tt_api_wrong' });
  const changing = await other.call('DELETE', '/api/user/routers/1/', undefined, { authorization: `Bearer ${token}` });

  expect(both).toMatchObject({ status: 200, body: [{ id }] });
  expect(wrong).toMatchObject({ status: 401, body: { code: 'api-token.invalid' } });
  expect(changing).toMatchObject({ status: 403, body: { code: 'session.scope' } });
});

test('a page of another site cannot use a token in a visitor’s browser', async () => {
  await using t = await openTestDb();
  await using app = await openTokenApp(t.db);
  const { token } = await createToken(await app.browserOf(await insertAccount(t.db)), { scopes: ['devices:write'] });

  const headers = { ...program(token), origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  const reply = await app.browser().call('DELETE', '/api/user/routers/1/', undefined, headers);

  expect(reply).toMatchObject({ status: 403, body: { code: 'request.cross-site' } });
});

test('an expired, deleted or unknown token is refused', async () => {
  await using t = await openTestDb();
  await using app = await openTokenApp(t.db);
  const browser = await app.browserOf(await insertAccount(t.db));
  const expired = await createToken(browser);
  await t.db
    .updateTable('apiToken')
    .set({ expiresAt: new Date(0) })
    .execute();
  const deleted = await createToken(browser, { valid_days: null });
  expect(deleted.api_token.expires_at).toBeNull();
  const call = (token: string) => app.browser().call('GET', '/api/user/servers/', undefined, program(token));

  expect((await call(deleted.token)).status).toBe(200);
  expect((await browser.call('DELETE', `${list}${deleted.api_token.id}/`)).status).toBe(200);
  for (const token of [expired.token, deleted.token, `tt_api_${'x'.repeat(43)}`, 'tt_api_', "'; drop table", '']) {
    const refused = await call(token);
    expect(refused).toMatchObject({ status: 401, body: { code: 'api-token.invalid' } });
    expect(refused.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
  }
  const nobody = await app.browser().call('GET', '/api/user/servers/');
  expect(nobody).toMatchObject({ status: 401, body: { code: 'session.required' } });
  expect(nobody.headers['www-authenticate']).toBeUndefined();
});

test('a call that needs no login ignores tokens, valid or not', async () => {
  await using t = await openTestDb();
  await using app = await openTokenApp(t.db);
  const id = await insertAccount(t.db);
  const browser = await app.browserOf(id);
  const { token } = await createToken(browser);
  const status = '/api/login_status/';

  for (const given of [token, `tt_api_${'x'.repeat(43)}`, 'garbage']) {
    const alone = await app.browser().call('GET', status, undefined, program(given));
    expect(alone).toMatchObject({ status: 200, body: { logged_in: false, id: 0 } });
    const beside = await browser.call('GET', status, undefined, { authorization: `Bearer ${given}` });
    expect(beside).toMatchObject({ status: 200, body: { logged_in: true, id } });
  }
});

test('the last use is recorded at most once a minute', async () => {
  await using t = await openTestDb();
  await using app = await openTokenApp(t.db);
  const { token } = await createToken(await app.browserOf(await insertAccount(t.db)));
  const use = () => app.browser().call('GET', '/api/user/servers/', undefined, program(token));
  const noted = async () =>
    (await t.db.selectFrom('apiToken').select('lastUsedAt').executeTakeFirstOrThrow()).lastUsedAt;
  await use();
  const first = await noted();

  await use();

  expect(first).toBeInstanceOf(Date);
  expect(await noted()).toEqual(first);
  const longAgo = new Date(Date.now() - 61_000);
  await t.db.updateTable('apiToken').set({ lastUsedAt: longAgo }).execute();
  await use();
  expect((await noted())?.getTime()).toBeGreaterThan(longAgo.getTime());
});

test('another user neither sees nor deletes a token', async () => {
  await using t = await openTestDb();
  await using app = await openTokenApp(t.db);
  const browser = await app.browserOf(await insertAccount(t.db));
  const { api_token: made } = await createToken(browser);
  const otherUser = await app.browserOf(await insertAccount(t.db, { username: 'wang' }));

  expect((await otherUser.call('GET', list)).body).toEqual([]);
  expect(await otherUser.call('DELETE', `${list}${made.id}/`)).toMatchObject({
    status: 404,
    body: { code: 'api-token.not-found' },
  });
  expect((await browser.call('GET', list)).body).toHaveLength(1);
});

test('a user has fifty tokens at most, also when two are created at once', async () => {
  await using t = await openTestDb();
  await using app = await openTokenApp(t.db);
  const id = await insertAccount(t.db);
  const browser = await app.browserOf(id);
  const rows = Array.from({ length: 49 }, (_, index) => ({
    userId: id,
    name: `${index}`,
    hint: 'tt_api_',
    tokenHash: Buffer.alloc(32, index),
    scopes: ['devices:read'],
  }));
  await t.db.insertInto('apiToken').values(rows).execute();
  const create = () => browser.call('POST', list, { name: 'x', scopes: ['devices:read'], valid_days: null });

  const replies = await Promise.all([create(), create(), create()]);

  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
});

test('creating a token needs a confirmed session and valid fields', async () => {
  await using t = await openTestDb();
  await using app = await openTokenApp(t.db);
  const browser = await app.browserOf(await insertAccount(t.db));
  const create = (fields: object) =>
    browser.call('POST', list, { name: 'x', scopes: ['devices:read'], valid_days: 1, ...fields });

  expect(await create({ scopes: [] })).toMatchObject({ status: 422 });
  expect(await create({ scopes: ['admin'] })).toMatchObject({ status: 422 });
  expect(await create({ valid_days: 0 })).toMatchObject({ status: 422 });
  expect(await create({ user_id: 1 })).toMatchObject({ status: 422 });
  await t.db.updateTable('session').set({ confirmedUntil: null }).execute();
  expect(await create({})).toMatchObject({ status: 403, body: { code: 'session.confirm-required' } });
});
