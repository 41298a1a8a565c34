import { must } from '@tongtu/base';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertAccount, logInFirstStep, openAccountApp, turnOnTotp } from '../../testing/apps/open-account-app.ts';
import type { TestBrowser } from '../../testing/apps/open-test-app.ts';
import { SoftwareAuthenticator } from '../../testing/software-authenticator.ts';

type Json = Record<string, unknown>;

async function optionsOf(browser: TestBrowser, url: string, body?: Json, headers = {}): Promise<Json> {
  const reply = await browser.call('POST', url, body, headers);
  if (reply.status !== 200) throw new Error(`no options: ${reply.text}`);
  return (reply.body as { options: Json }).options;
}

async function addPasskey(browser: TestBrowser, key: SoftwareAuthenticator, name = '我的钥匙', headers = {}) {
  const options = await optionsOf(browser, '/api/user/passkeys/options/', undefined, headers);
  return await browser.call('POST', '/api/user/passkeys/', { name, response: key.create(options) }, headers);
}

async function firstStep(browser: TestBrowser) {
  return must((await logInFirstStep(browser)).second_factor, 'a second step');
}

test('a passkey finishes a login, and adding the first one returns recovery codes', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const key = new SoftwareAuthenticator();

  const added = await addPasskey(await app.browserOf(id), key);
  const browser = app.browser();
  const { token, methods } = await firstStep(browser);
  const options = await optionsOf(browser, '/custom/login/second/passkey_options/', { token });
  const reply = await browser.call('POST', '/custom/login/second/', { token, passkey: key.get(options) });

  expect(added).toMatchObject({ status: 201, body: { passkey: { name: '我的钥匙', last_used_at: null } } });
  expect((added.body as { recovery_codes: string[] }).recovery_codes).toHaveLength(10);
  expect(methods).toEqual(['passkey', 'recovery_code']);
  expect(reply).toMatchObject({ status: 200, body: { id } });
  const { body } = await browser.call('GET', '/api/user/security/');
  expect(body).toMatchObject({ passkeys: [{ name: '我的钥匙', last_used_at: expect.any(String) }], totp: false });
});

test('a passkey’s answer is accepted once: of several concurrent ones one logs in, and none does later', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const key = new SoftwareAuthenticator();
  await addPasskey(await app.browserOf(await insertAccount(t.db)), key);
  const browser = app.browser();
  const { token } = await firstStep(browser);
  const answer = key.get(await optionsOf(browser, '/custom/login/second/passkey_options/', { token }));

  const replies = await Promise.all(
    Array.from({ length: 4 }, () => browser.call('POST', '/custom/login/second/', { token, passkey: answer })),
  );
  const again = await firstStep(browser);
  const replay = async () =>
    await browser.call('POST', '/custom/login/second/', { token: again.token, passkey: answer });
  const withoutChallenge = await replay();
  await optionsOf(browser, '/custom/login/second/passkey_options/', { token: again.token });
  const replayed = await replay();

  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(withoutChallenge).toMatchObject({ status: 422, body: { code: 'second-factor.expired' } });
  expect(replayed).toMatchObject({ status: 422, body: { code: 'second-factor.wrong' } });
});

test('a passkey’s answer for another account, relying party or challenge is refused', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const key = new SoftwareAuthenticator();
  await addPasskey(await app.browserOf(await insertAccount(t.db)), key);
  const foreign = new SoftwareAuthenticator();
  await addPasskey(await app.browserOf(await insertAccount(t.db, { username: 'wang' })), foreign);
  const browser = app.browser();
  const { token } = await firstStep(browser);
  const answerWith = async (make: (options: Json) => Json) => {
    const options = await optionsOf(browser, '/custom/login/second/passkey_options/', { token });
    return await browser.call('POST', '/custom/login/second/', { token, passkey: make(options) });
  };
  const wrong = { status: 422, body: { code: 'second-factor.wrong' } };

  expect(await answerWith((options) => foreign.get(options))).toMatchObject(wrong);
  expect(await answerWith((options) => key.get({ ...options, challenge: 'AAAA' }))).toMatchObject(wrong);
  expect(await answerWith((options) => key.get({ ...options, rpId: 'evil.example' }))).toMatchObject(wrong);
  expect(await answerWith(() => ({ id: 7, response: null, __proto__: [] }))).toMatchObject(wrong);
});

test('a page of another origin cannot register a passkey, and one challenge registers one passkey', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const browser = await app.browserOf(await insertAccount(t.db));
  const key = new SoftwareAuthenticator();
  const options = await optionsOf(browser, '/api/user/passkeys/options/');
  const add = (response: Json) => browser.call('POST', '/api/user/passkeys/', { name: 'k', response });

  const elsewhere = await add(new SoftwareAuthenticator('https://evil.example').create(options));
  const late = await add(key.create(options));
  const fresh = await addPasskey(browser, key);
  const twice = await addPasskey(browser, key);

  expect(elsewhere).toMatchObject({ status: 422, body: { code: 'second-factor.wrong' } });
  expect(late).toMatchObject({ status: 422, body: { code: 'second-factor.expired' } });
  expect(fresh.status).toBe(201);
  expect(twice).toMatchObject({ status: 422, body: { code: 'second-factor.wrong' } });
});

test('another console host has passkeys of its own', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const home = await app.browserOf(id);
  const there = { host: 'console.example', origin: 'http://console.example' };
  await addPasskey(home, new SoftwareAuthenticator());
  const key = new SoftwareAuthenticator(there.origin);
  await addPasskey(home, key, '另一个域名', there);
  const options = await optionsOf(home, '/custom/confirm/passkey_options/', undefined, there);

  const reply = await home.call('POST', '/custom/confirm/', { passkey: key.get(options) }, there);

  expect((options['allowCredentials'] as unknown[]).length).toBe(1);
  expect(options['rpId']).toBe('console.example');
  expect(reply.status).toBe(200);
});

test('an account has ten passkeys at most, also when two are added at once', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const browser = await app.browserOf(id);
  for (let i = 0; i < 9; i++) expect((await addPasskey(browser, new SoftwareAuthenticator())).status).toBe(201);
  const browsers = [await app.browserOf(id), await app.browserOf(id)];
  const offers = await Promise.all(browsers.map((one) => optionsOf(one, '/api/user/passkeys/options/')));

  const replies = await Promise.all(
    browsers.map((one, i) =>
      one.call('POST', '/api/user/passkeys/', { name: 'k', response: new SoftwareAuthenticator().create(offers[i]!) }),
    ),
  );
  const beyond = await browser.call('POST', '/api/user/passkeys/options/');

  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  expect(beyond).toMatchObject({ status: 409, body: { code: 'second-factor.limit-reached' } });
});

test('only their owner renames and removes passkeys, and recovery codes are deleted with the last factor', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const browser = await app.browserOf(id);
  const otherUser = await app.browserOf(await insertAccount(t.db, { username: 'wang' }));
  const added = (await addPasskey(browser, new SoftwareAuthenticator())).body as { passkey: { id: number } };
  const url = `/api/user/passkeys/${added.passkey.id}/`;
  const unknown = { status: 404, body: { code: 'passkey.not-found' } };

  expect(await otherUser.call('PATCH', url, { name: '偷' })).toMatchObject(unknown);
  expect(await otherUser.call('DELETE', url)).toMatchObject(unknown);
  expect(await browser.call('PATCH', url, { name: '办公室' })).toMatchObject({ body: { name: '办公室' } });
  await turnOnTotp(browser);
  expect((await browser.call('DELETE', url)).status).toBe(200);
  expect((await browser.call('GET', '/api/user/security/')).body).toMatchObject({
    recovery_codes_left: 10,
    totp: true,
  });
  expect((await browser.call('DELETE', '/api/user/totp/')).status).toBe(200);
  expect((await browser.call('GET', '/api/user/security/')).body).toMatchObject({
    recovery_codes_left: 0,
    totp: false,
  });
  expect(await logInFirstStep(app.browser())).toEqual({ id, second_factor: null });
});
