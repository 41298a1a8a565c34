import { AppError } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import type { Db } from '../db/driver.ts';
import { openTestDb } from '../db/open-test-db.ts';
import { openTestApp } from '../testing/apps/open-test-app.ts';
import { mount } from './mount.ts';

function register(app: FastifyInstance): void {
  mount(app, 'GET /api/login_status/', { login: 'optional' }, async ({ session }) => ({
    logged_in: session !== undefined,
    id: session?.userId ?? 0,
    secret: 'not in the contract',
  }));
  mount(app, 'POST /custom/password/', { login: 'required' }, async ({ body }) => {
    if (body.old_password === 'unexpected') throw new Error('SELECT secret FROM vault');
    throw new AppError('password.wrong');
  });
  mount(app, 'GET /custom/check/', { login: 'optional' }, async ({ query }) => ({
    logged_in: false,
    allowed: false,
    reason: 'login_required' as const,
    url: query.url,
    domain: 'x',
  }));
  mount(app, 'DELETE /api/user/records/{id}/', { login: 'required' }, async () => ({ ok: true as const }));
}

async function insertUser(db: Db, username = 'li'): Promise<number> {
  const { id } = await db.insertInto('userAccount').values({ username }).returning('id').executeTakeFirstOrThrow();
  return id;
}

const password = { old_password: 'old', new_password: 'a new password' };

test('a call that needs login answers 401 with problem details', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);

  const reply = await app.browser().call('POST', '/custom/password/', password);

  expect(reply.status).toBe(401);
  expect(reply.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(reply.body).toEqual({
    type: 'urn:tongtu:error:session.required',
    title: 'Unauthorized',
    status: 401,
    detail: '请先登录',
    code: 'session.required',
    request_id: reply.headers['x-request-id'],
  });
});

test('fields that the contract does not have are removed from a reply', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  const userId = await insertUser(t.db);
  const browser = await app.browserOf(userId);

  const reply = await browser.call('GET', '/api/login_status/');

  expect(reply.body).toEqual({ logged_in: true, id: userId });
});

test('a changing call is refused without the CSRF header, with a wrong one and with that of another session', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  const browser = await app.browserOf(await insertUser(t.db));
  const other = await app.browserOf(await insertUser(t.db, 'wang'));
  const call = (token: string | undefined) =>
    browser.call('POST', '/custom/password/', password, { 'x-csrftoken': token });

  expect(await call(undefined)).toMatchObject({ status: 403, body: { code: 'session.csrf' } });
  expect(await call('wrong')).toMatchObject({ status: 403, body: { code: 'session.csrf' } });
  expect(await call(other.cookies.get('csrftoken'))).toMatchObject({ status: 403, body: { code: 'session.csrf' } });
  // The other session's cookie does not help either: its token is signed for that session.
  const own = browser.cookies.get('csrftoken')!;
  browser.cookies.set('csrftoken', other.cookies.get('csrftoken')!);
  expect(await call(other.cookies.get('csrftoken'))).toMatchObject({ status: 403, body: { code: 'session.csrf' } });
  browser.cookies.set('csrftoken', own);
  expect(await call(own)).toMatchObject({ status: 403, body: { code: 'password.wrong' } });
});

test('a read sets a CSRF token if the browser has none or a stale one, and keeps a valid one', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  const browser = app.browser();

  const first = await browser.call('GET', '/api/login_status/');
  const second = await browser.call('GET', '/api/login_status/');
  browser.cookies.set('csrftoken', 'stale');
  const third = await browser.call('GET', '/api/login_status/');

  expect(first.headers['set-cookie']).toMatch(/^csrftoken=[\w-]+\.[\w-]+; Max-Age=2592000; Path=\/; SameSite=Lax$/);
  expect(second.headers['set-cookie']).toBeUndefined();
  expect(third.headers['set-cookie']).toMatch(/^csrftoken=/);
});

test.each([
  { 'sec-fetch-site': 'cross-site', origin: undefined },
  { 'sec-fetch-site': 'same-site', origin: undefined },
  { 'sec-fetch-site': undefined, origin: 'http://nas.localhost' },
  { 'sec-fetch-site': undefined, origin: 'null' },
  { 'sec-fetch-site': undefined, origin: undefined, referer: 'http://evil.example/page' },
])('a raw call from another site is refused: %o', async (headers) => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);

  const reply = await app.browser().call('GET', '/custom/check/?url=x', undefined, headers);

  expect(reply).toMatchObject({ status: 403, body: { code: 'request.cross-site' } });
});

test('a raw call from the console, from the address bar or from a program is served', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  const call = async (headers: Record<string, string | undefined>) =>
    (await app.browser().call('GET', '/custom/check/?url=x', undefined, headers)).status;

  expect(await call({})).toBe(200);
  expect(await call({ 'sec-fetch-site': 'none', origin: undefined })).toBe(200);
  expect(await call({ 'sec-fetch-site': undefined, origin: undefined })).toBe(200);
  expect(await call({ 'sec-fetch-site': undefined, origin: undefined, referer: 'http://localhost/' })).toBe(200);
});

test.each([
  { 'sec-fetch-site': 'cross-site', origin: undefined },
  { 'sec-fetch-site': 'same-site', origin: undefined },
  { 'sec-fetch-site': 'cross-site', origin: 'https://localhost' },
  { 'sec-fetch-site': undefined, origin: 'https://localhost' },
  { 'sec-fetch-site': undefined, origin: undefined, referer: 'http://nas.localhost/' },
])('a page of another origin may neither read nor change: %o', async (headers) => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  const browser = await app.browserOf(await insertUser(t.db));
  const refused = { status: 403, body: { code: 'request.cross-site' } };
  expect(await browser.call('GET', '/api/login_status/', undefined, headers)).toMatchObject(refused);
  expect(await browser.call('POST', '/custom/password/', password, headers)).toMatchObject(refused);
});

test('over https a page of the same name over http is another origin', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  const status = async (headers: Record<string, string | undefined>) =>
    (await app.browser().call('GET', '/api/login_status/', undefined, { 'x-forwarded-proto': 'https', ...headers }))
      .status;
  expect(await status({ origin: 'http://localhost', 'sec-fetch-site': undefined })).toBe(403);
  expect(await status({ origin: 'https://localhost', 'sec-fetch-site': undefined })).toBe(200);
});

test('invalid and unknown fields answer 422 with a Chinese sentence for each', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  const browser = await app.browserOf(await insertUser(t.db));

  const reply = await browser.call('POST', '/custom/password/', { new_password: 'short', is_staff: true, toString: 1 });

  expect(reply).toMatchObject({
    status: 422,
    body: {
      code: 'request.invalid',
      errors: { new_password: ['新密码至少 10 个字符'], is_staff: ['没有这个字段'], toString: ['没有这个字段'] },
    },
  });
});

test('a client that prefers English gets English sentences for all fields', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  const browser = await app.browserOf(await insertUser(t.db));
  const body = { new_password: 'short', is_staff: true };

  const reply = await browser.call('POST', '/custom/password/', body, { 'accept-language': 'en-US,en;q=0.9,zh;q=0.8' });

  expect(reply.headers).toMatchObject({ 'content-language': 'en', vary: 'Accept-Language' });
  expect(reply.body).toMatchObject({
    code: 'request.invalid',
    detail: 'Illegal input',
    errors: {
      new_password: ['A new password has at least 10 characters'],
      is_staff: ['There is no such field'],
    },
  });
});

test('clients without a preference, or with an unsupported language, get Chinese', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  const call = async (headers: Record<string, string>) =>
    await app.browser().call('POST', '/custom/password/', password, headers);

  for (const headers of [{}, { 'accept-language': '*' }, { 'accept-language': 'fr' }]) {
    const reply = await call(headers);
    expect(reply.headers).toMatchObject({ 'content-language': 'zh-CN', vary: 'Accept-Language' });
    expect(reply.body).toMatchObject({ detail: '请先登录' });
  }
});

test('a path that does not exist is refused in the preferred language', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);

  const reply = await app.browser().call('GET', '/api/nothing/', undefined, { 'accept-language': 'en' });

  expect(reply.body).toMatchObject({ code: 'request.not-found', detail: 'There is no such call.' });
});

test('wrong types are explained in Chinese', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  const browser = await app.browserOf(await insertUser(t.db));

  const reply = await browser.call('POST', '/custom/password/', { ...password, old_password: 5 });

  expect(reply).toMatchObject({
    status: 422,
    body: { errors: { old_password: ['请填写文字'] } },
  });
});

test('a bug answers 500 without details', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  const browser = await app.browserOf(await insertUser(t.db));

  const reply = await browser.call('POST', '/custom/password/', { ...password, old_password: 'unexpected' });

  expect(reply).toMatchObject({ status: 500, body: { code: 'server.internal' } });
  expect(reply.text).not.toContain('vault');
});

test.each([
  {
    name: 'broken JSON',
    payload: '{"old_password":',
    type: 'application/json',
    status: 400,
    code: 'request.malformed',
  },
  {
    name: 'a form',
    payload: 'a=b',
    type: 'application/x-www-form-urlencoded',
    status: 415,
    code: 'request.unsupported-type',
  },
  { name: 'plain text', payload: '{}', type: 'text/plain', status: 415, code: 'request.unsupported-type' },
  {
    name: 'over 1 MB',
    payload: `"${'x'.repeat(1024 * 1024)}"`,
    type: 'application/json',
    status: 413,
    code: 'request.too-large',
  },
  {
    name: 'a prototype',
    payload: '{"__proto__":{}}',
    type: 'application/json',
    status: 400,
    code: 'request.malformed',
  },
])('a body of $name is refused with $status', async ({ payload, type, status, code }) => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  const browser = await app.browserOf(await insertUser(t.db));

  const reply = await browser.call('POST', '/custom/password/', payload, { 'content-type': type });

  expect(reply).toMatchObject({ status, body: { code } });
});

test('a malformed id is answered like an unknown one', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  const browser = await app.browserOf(await insertUser(t.db));

  for (const id of ['abc', '0', '-1', '99999999999', '0x1', '1e0', '%201', '+1', '1.0']) {
    const reply = await browser.call('DELETE', `/api/user/records/${id}/`);
    expect(reply).toMatchObject({ status: 404, body: { code: 'mapping.not-found' } });
  }
});

test('a DELETE may have the JSON content type and no body', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  const browser = await app.browserOf(await insertUser(t.db));

  const reply = await browser.call('DELETE', '/api/user/records/1/', undefined, { 'content-type': 'application/json' });

  expect(reply.status).toBe(200);
});

test('the trailing slash may be missing', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);

  expect((await app.browser().call('GET', '/api/login_status')).status).toBe(200);
});

test('an unknown path answers programs with problem details and people with a page', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  const browser = app.browser();

  expect(await browser.call('GET', '/api/nothing/')).toMatchObject({
    status: 404,
    body: { code: 'request.not-found' },
  });
  expect(await browser.call('GET', '/custom/nothing')).toMatchObject({
    status: 404,
    body: { code: 'request.not-found' },
  });
  expect(await browser.call('DELETE', '/custom/password/')).toMatchObject({ status: 405, headers: { allow: 'POST' } });
  const page = await browser.call('GET', '/nothing');
  expect(page.status).toBe(404);
  expect(page.text).toContain('返回控制台');
});

test('every reply has the security headers', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);

  const { headers } = await app.browser().call('GET', '/api/login_status/');

  expect(headers['content-security-policy']).toContain("script-src 'self'");
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
  expect(headers['strict-transport-security']).toBeUndefined();
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['cache-control']).toBe('no-store');
});
