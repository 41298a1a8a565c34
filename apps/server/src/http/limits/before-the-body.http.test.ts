import { type ClientRequest, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { must } from '@tongtu/base';
import { AppError, type Problem } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertUser } from '../../testing/device-fixtures.ts';
import { openTestApp, type TestBrowser } from '../../testing/apps/open-test-app.ts';
import { mount } from '../mount.ts';

const path = '/custom/password/';
const password = { old_password: 'old', new_password: 'a new password' };
const forged = 'A'.repeat(43);
const perMinute = 120;

function register(app: FastifyInstance): void {
  mount(app, 'POST /custom/password/', { login: 'required' }, async () => {
    throw new AppError('password.wrong');
  });
  mount(app, 'PATCH /custom/profile/', { login: 'required' }, async () => {
    throw new AppError('password.wrong');
  });
  mount(app, 'DELETE /api/user/records/{id}/', { login: 'required' }, async () => ({ ok: true as const }));
}

/** Sends the headers of a request with a body, but not the body yet. */
function begin(app: FastifyInstance, headers: Record<string, string>) {
  const { port } = app.server.address() as AddressInfo; // a TCP server has this kind of address
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; code: string }>();
  const length = String(JSON.stringify(password).length);
  const half: ClientRequest = request({
    ...{ port, host: '127.0.0.1', method: 'POST', path },
    headers: { host: 'localhost', 'content-type': 'application/json', 'content-length': length, ...headers },
  });
  half.once('error', reject).once('response', (reply) => {
    void reply
      .setEncoding('utf8')
      .toArray()
      .then((texts) => {
        const { code } = JSON.parse(texts.join('')) as Problem; // compared
        resolve({ status: reply.statusCode, code });
      })
      .catch(reject);
  });
  half.flushHeaders();
  return { half, answer: promise };
}

function headersOf({ cookies }: TestBrowser): Record<string, string> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return { cookie, 'x-csrftoken': must(cookies.get('csrftoken'), 'a token') };
}

test.each([
  ['nobody', {}, 'session.required'],
  ['a session that is none', { cookie: `sessionid=${forged}` }, 'session.required'],
  ['an API token that is none', { authorization: `Bearer ${forged}` }, 'api-token.invalid'],
])('%s is refused before the body is there', async (_, headers, code) => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  await app.app.listen({ host: '127.0.0.1', port: 0 });

  const { half, answer } = begin(app.app, headers);

  expect(await answer).toEqual({ status: 401, code });
  half.destroy();
});

test('a call that is over its limit or unauthorized is refused before its body arrives', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  const browser = await app.browserOf(await insertUser(t.db, 'li'));
  const answerTo = async (headers: Record<string, string>) => {
    const { half, answer } = begin(app.app, headers);
    const found = await answer;
    half.destroy();
    return found;
  };

  expect(await answerTo({ ...headersOf(browser), 'x-csrftoken': 'wrong' })).toEqual({
    status: 403,
    code: 'session.csrf',
  });
  for (let i = 0; i < 10; i++) expect((await browser.call('POST', path, password)).status).toBe(403);
  expect(await answerTo(headersOf(browser))).toEqual({ status: 429, code: 'request.too-many' });
});

test('a call is refused if its session ends while the body arrives', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  const userId = await insertUser(t.db, 'li');
  const browser = await app.browserOf(userId);
  const { half, answer } = begin(app.app, headersOf(browser));
  const counted = async () => await t.db.selectFrom('rateCount').select('key').execute();
  await expect.poll(counted).toEqual([{ key: `POST ${path} ${userId}` }]);

  await t.db.deleteFrom('session').execute();
  half.end(JSON.stringify(password));

  expect(await answer).toEqual({ status: 401, code: 'session.required' });
});

test('anonymous clients are counted by network over all calls, apart from logged-in users of the network', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, register);
  const browser = await app.browserOf(await insertUser(t.db, 'li'));
  const anonymous = app.browser();
  const call = async (ip: string, headers: Record<string, string> = {}) =>
    (await anonymous.call('POST', path, password, { 'x-forwarded-for': ip, ...headers })).body;
  const tooMany = { code: 'request.too-many' };
  await call('2001:db8:1:2::1');
  await call('2001:db8:1:2::2', { cookie: `sessionid=${forged}` });
  await call('2001:db8:1:2::3', { authorization: `Bearer ${forged}` });
  expect(await t.db.selectFrom('rateCount').select('hits').execute()).toEqual([{ hits: 3 }]);
  await t.db
    .updateTable('rateCount')
    .set({ hits: perMinute - 1 })
    .execute();

  expect(await call('2001:db8:1:2::4')).toMatchObject({ code: 'session.required' });
  expect(await call('2001:db8:1:2::4')).toMatchObject(tooMany);
  expect(await call('2001:db8:1:2::4', { authorization: `Bearer ${forged}` })).toMatchObject(tooMany);
  const elsewhere = { 'x-forwarded-for': '2001:db8:1:2::5' };
  const reply = await anonymous.call('PATCH', '/custom/profile/', {}, elsewhere);
  expect(reply).toMatchObject({ status: 429, headers: { 'retry-after': expect.any(String) }, body: tooMany });
  expect(await call('2001:db8:1:3::1')).toMatchObject({ code: 'session.required' });
  const own = await browser.call('POST', path, password, elsewhere);
  expect(own).toMatchObject({ body: { code: 'password.wrong' } });
});
