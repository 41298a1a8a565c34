import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SSO_STATE_COOKIE } from '@tongtu/contract';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { openTestApp, type TestApp, testCsrfKey } from '../../testing/apps/open-test-app.ts';
import { registerLoginRoutes } from '../login/index.ts';
import { createUser } from '../users/index.ts';
import { logInByWechat } from '../wechat/index.ts';
import { redeemAtOtherHost } from './redeem-code.ts';

const sealingKey = Buffer.alloc(32, 3);
const secret = '0123456789abcdef';
const state = 'A'.repeat(22);

type ReceivedCall = { path: string | undefined; authorization: string | undefined; body: unknown };

/** Starts a single sign-on host of another operator. */
async function startOtherHost(answer: () => { status: number; body: string }) {
  const calls: ReceivedCall[] = [];
  const server = createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(parts).toString());
      calls.push({ path: req.url, authorization: req.headers.authorization, body });
      const { status, body: text } = answer();
      res.writeHead(status, { 'content-type': 'application/json' }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    calls,
    url: `http://127.0.0.1:${port}/sso`,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function openConsole(t: TestDb, url: string): Promise<TestApp> {
  const { db } = t;
  const create = async (tx: Db, aff: string | undefined) => await createUser(tx, { sealingKey, aff });
  return await openTestApp(db, (app) =>
    registerLoginRoutes(app, {
      db,
      csrfKey: testCsrfKey,
      publicUrl: 'http://localhost',
      phoneRegions: ['86'],
      logInByWechat: async (input) =>
        await logInByWechat({ db, createUser: create, redeemCode: redeemAtOtherHost({ url, secret }) }, input),
    }),
  );
}

async function logIn(app: TestApp, { hasCookie = true } = {}) {
  const browser = app.browser();
  await browser.call('GET', '/api/login_status/');
  if (hasCookie) browser.cookies.set(SSO_STATE_COOKIE, state);
  const body = { method: 'wechat', accepted_terms: true, code: 'the code', state };
  return await browser.call('POST', '/custom/login/', body);
}

const identity = { appid: 'wx1', openid: 'o1', unionid: 'u1', nickname: '甲' };

test('a code of another single sign-on host is redeemed there, and the same person gets the same account', async () => {
  await using t = await openTestDb();
  await using host = await startOtherHost(() => ({ status: 200, body: JSON.stringify(identity) }));
  await using app = await openConsole(t, host.url);

  const joined = await logIn(app);
  const back = await logIn(app);

  expect(joined).toMatchObject({ status: 200, body: { id: expect.any(Number) } });
  expect(back.body).toEqual(joined.body);
  const call = { path: '/sso/wechat/identity', authorization: `Bearer ${secret}`, body: { code: 'the code', state } };
  expect(host.calls).toEqual([call, call]);
  expect(await t.db.selectFrom('wechatAccount').select(['openId', 'unionId', 'nickname']).execute()).toEqual([
    { openId: 'o1', unionId: 'u1', nickname: '甲' },
  ]);
});

test('a code with the state of another browser is refused without asking the host', async () => {
  await using t = await openTestDb();
  await using host = await startOtherHost(() => ({ status: 200, body: JSON.stringify(identity) }));
  await using app = await openConsole(t, host.url);

  expect((await logIn(app, { hasCookie: false })).body).toMatchObject({ code: 'wechat.code-invalid' });
  expect(host.calls).toEqual([]);
});

test.each([
  ['does not know the code', 422, '{}', 'wechat.code-invalid'],
  ['refuses our secret', 401, '{}', 'server.unavailable'],
  ['fails', 500, '', 'server.unavailable'],
  ['answers something else', 200, '<p>', 'server.unavailable'],
  ['names no identity', 200, '{"nickname":"甲"}', 'server.unavailable'],
])('a host that %s logs nobody in', async (_how, status, body, code) => {
  await using t = await openTestDb();
  await using host = await startOtherHost(() => ({ status, body }));
  await using app = await openConsole(t, host.url);

  expect((await logIn(app)).body).toMatchObject({ code });
  expect(await t.db.selectFrom('userAccount').select('id').execute()).toEqual([]);
});

test('an unreachable host logs nobody in', async () => {
  await using t = await openTestDb();
  const host = await startOtherHost(() => ({ status: 500, body: '' }));
  await host[Symbol.asyncDispose]();
  await using app = await openConsole(t, host.url);

  expect((await logIn(app)).body).toMatchObject({ code: 'server.unavailable' });
});

test('the content security policy allows the other host, and no further one', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, () => undefined, { ssoOrigin: 'https://sso.example.com' });

  const { headers } = await app.browser().call('GET', '/api/none/');

  const policy = String(headers['content-security-policy']).split(';');
  expect(policy).toContain("script-src 'self' https://sso.example.com");
  expect(policy).toContain("connect-src 'self' https://sso.example.com");
  expect(policy).toContain("default-src 'self'");
});
