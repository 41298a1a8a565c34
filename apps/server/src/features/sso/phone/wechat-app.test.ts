import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { fakePeople, type FakePerson } from '../fake-wechat/fake-people.ts';
import { startFakeWechat } from '../fake-wechat/start-fake-wechat.ts';
import { createWechatApp } from './wechat-app.ts';

const [someone] = fakePeople as [FakePerson]; // the list is never empty

async function reasonOf(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => 'none',
    (error: { reason?: string; errcode?: number }) => [error.reason, error.errcode],
  );
}

/** Starts an API that answers every request the same. */
async function serve(status: number, body: string) {
  const server = createServer((_request, response) => void response.writeHead(status).end(body));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    apiUrl: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('a code identifies the user who consented', async () => {
  await using fakeWechat = await startFakeWechat();

  const identity = await createWechatApp(fakeWechat.app).identify(fakeWechat.codes.issueCode(someone));

  expect(identity).toEqual({
    appId: 'wxfake',
    openId: someone.openId,
    unionId: someone.unionId,
    nickname: '测试用户甲',
  });
});

test('hidden characters are removed from a nickname', async () => {
  await using fakeWechat = await startFakeWechat();
  const turned = { ...someone, name: '\u202E王\u200B小二\u0007 👩\u200D💻' };

  const { nickname } = await createWechatApp(fakeWechat.app).identify(fakeWechat.codes.issueCode(turned));

  expect(nickname).toBe('王小二 👩\u200D💻');
});

test('an unknown, used or expired code is reported as an invalid code', async () => {
  let wallClockMs = 0;
  await using fakeWechat = await startFakeWechat({ wallClockMs: () => wallClockMs });
  const { identify } = createWechatApp(fakeWechat.app);
  const used = fakeWechat.codes.issueCode(someone);
  await identify(used);
  const old = fakeWechat.codes.issueCode(someone);
  wallClockMs += 5 * 60_000 + 1;

  expect(await reasonOf(identify('unknown'))).toEqual(['code', 40029]);
  expect(await reasonOf(identify(used))).toEqual(['code', 40163]);
  expect(await reasonOf(identify(old))).toEqual(['code', 42003]);
});

test('of two concurrent calls with the same code one succeeds', async () => {
  await using fakeWechat = await startFakeWechat();
  const { identify } = createWechatApp(fakeWechat.app);
  const code = fakeWechat.codes.issueCode(someone);

  const outcomes = await Promise.allSettled([identify(code), identify(code)]);

  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('a wrong secret and a wrong app id are reported as refused', async () => {
  await using fakeWechat = await startFakeWechat();
  const code = fakeWechat.codes.issueCode(someone);

  expect(await reasonOf(createWechatApp({ ...fakeWechat.app, appSecret: 'x' }).identify(code))).toEqual([
    'refused',
    40125,
  ]);
  expect(await reasonOf(createWechatApp({ ...fakeWechat.app, appId: 'x' }).identify(code))).toEqual(['refused', 40013]);
});

test('a revoked access token is reported as refused', async () => {
  await using api = await serve(
    200,
    '{"errcode":40001,"errmsg":"invalid credential, access_token is invalid or not latest"}',
  );
  await using fakeWechat = await startFakeWechat();

  expect(await reasonOf(createWechatApp({ ...fakeWechat.app, ...api }).identify('code'))).toEqual(['refused', 40001]);
});

test('the fake WeChat answers 40001 to a revoked token', async () => {
  await using fakeWechat = await startFakeWechat();
  const { appId, appSecret, apiUrl } = fakeWechat.app;
  const code = fakeWechat.codes.issueCode(someone);
  const query = new URLSearchParams({ appid: appId, secret: appSecret, code, grant_type: 'authorization_code' });
  const token = JSON.parse(await (await fetch(`${apiUrl}/sns/oauth2/access_token?${query.toString()}`)).text());
  fakeWechat.codes.revokeTokens();

  const asked = new URLSearchParams({ access_token: token.access_token, openid: token.openid, lang: 'zh_CN' });
  const answer = await fetch(`${apiUrl}/sns/userinfo?${asked.toString()}`);

  expect(JSON.parse(await answer.text())).toMatchObject({ errcode: 40001 });
});

test.each([
  [200, '{"errcode":-1,"errmsg":"system error"}', ['busy', -1]],
  [200, 'not json', ['busy', undefined]],
  [502, '', ['busy', undefined]],
  [200, '{"openid":"o"}', ['refused', undefined]],
])('an answer of %i %s is %j', async (status, body, reason) => {
  await using api = await serve(status, body);
  await using fakeWechat = await startFakeWechat();

  expect(await reasonOf(createWechatApp({ ...fakeWechat.app, ...api }).identify('code'))).toEqual(reason);
});
