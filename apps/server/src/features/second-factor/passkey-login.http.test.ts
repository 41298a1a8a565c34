import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { countWaiting } from '../../testing/count-waiting.ts';
import { runBothWhileLocked } from '../../testing/run-both-while-locked.ts';
import { insertAccount, openAccountApp, turnOnTotp } from '../../testing/apps/open-account-app.ts';
import type { TestBrowser } from '../../testing/apps/open-test-app.ts';
import { SoftwareAuthenticator } from '../../testing/software-authenticator.ts';
import { resetPassword } from '../users/index.ts';
import { deleteExpiredPasskeyChallenges } from './passkeys/passkey-challenge-store.ts';

type Json = Record<string, unknown>;

const failed = { status: 401, body: { code: 'passkey.login-failed' } };
const expired = { status: 422, body: { code: 'second-factor.expired' } };

/** An account whose passkey is in `key`, and a browser that is not logged in. */
async function openHome() {
  await using stack = new AsyncDisposableStack();
  const t = stack.use(await openTestDb());
  const app = stack.use(await openAccountApp(t.db));
  const userId = await insertAccount(t.db);
  const home = await app.browserOf(userId);
  const key = new SoftwareAuthenticator();
  const { id: passkeyId } = await addPasskey(home, key);
  const opened = stack.move();
  return {
    ...{ t, db: t.db, app, userId, home, key, passkeyId, browser: app.browser() },
    [Symbol.asyncDispose]: async () => await opened.disposeAsync(),
  };
}

async function addPasskey(browser: TestBrowser, key: SoftwareAuthenticator, discoverable?: boolean) {
  const { options } = (await browser.call('POST', '/api/user/passkeys/options/')).body as { options: Json };
  const rk = discoverable === undefined ? {} : { clientExtensionResults: { credProps: { rk: discoverable } } };
  const response = { ...key.create(options), ...rk };
  const added = await browser.call('POST', '/api/user/passkeys/', { name: '我的手机', response });
  if (added.status !== 201) throw new Error(`no passkey: ${added.text}`);
  return (added.body as { passkey: { id: number; is_discoverable: boolean | null } }).passkey;
}

async function askForOptions(browser: TestBrowser, headers = {}): Promise<Json> {
  if (!browser.cookies.has('csrftoken')) await browser.call('GET', '/api/login_status/', undefined, headers);
  const reply = await browser.call('POST', '/custom/login/passkey_options/', undefined, headers);
  if (reply.status !== 200) throw new Error(`no options: ${reply.text}`);
  return (reply.body as { options: Json }).options;
}

async function send(browser: TestBrowser, passkey: Json, headers = {}) {
  return await browser.call('POST', '/custom/login/passkey/', { passkey }, headers);
}

async function isLoggedIn(browser: TestBrowser): Promise<boolean> {
  return ((await browser.call('GET', '/api/login_status/')).body as { logged_in: boolean }).logged_in;
}

test('a passkey logs in alone: without a user name, a second step, or a further confirmation', async () => {
  await using li = await openHome();
  await turnOnTotp(li.home);
  const options = await askForOptions(li.browser);
  expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
  expect(options['allowCredentials'] ?? []).toEqual([]);

  const reply = await send(li.browser, li.key.logIn(options));

  expect(reply).toMatchObject({ status: 200, body: { id: li.userId, second_factor: null } });
  expect((await li.browser.call('GET', '/custom/confirm/')).body).toMatchObject({
    confirmed_until: expect.any(String),
  });
  const { passkeys } = (await li.browser.call('GET', '/api/user/security/')).body as { passkeys: unknown[] };
  expect(passkeys).toMatchObject([{ is_discoverable: true, last_used_at: expect.any(String) }]);
});

test('registration asks for a discoverable passkey, and the list says what the browser created', async () => {
  await using li = await openHome();
  const { options } = (await li.home.call('POST', '/api/user/passkeys/options/')).body as { options: Json };
  expect(options['authenticatorSelection']).toMatchObject({ residentKey: 'preferred', userVerification: 'preferred' });

  expect(await addPasskey(li.home, new SoftwareAuthenticator(), true)).toMatchObject({ is_discoverable: true });
  expect(await addPasskey(li.home, new SoftwareAuthenticator(), false)).toMatchObject({ is_discoverable: false });
  expect(await addPasskey(li.home, new SoftwareAuthenticator())).toMatchObject({ is_discoverable: null });
});

test('a passkey that was registered as a second factor before still is one', async () => {
  await using li = await openHome();
  await li.db.updateTable('passkey').set({ isDiscoverable: false }).execute();
  await li.browser.call('GET', '/api/login_status/');
  const first = await li.browser.call('POST', '/custom/login/', { account: 'li', password: 'correct horse battery' });
  const { token } = (first.body as { second_factor: { token: string } }).second_factor;
  const asked = await li.browser.call('POST', '/custom/login/second/passkey_options/', { token });
  const { options } = asked.body as { options: Json };

  const reply = await li.browser.call('POST', '/custom/login/second/', { token, passkey: li.key.get(options) });

  expect(reply).toMatchObject({ status: 200, body: { id: li.userId } });
});

const lies: [what: string, answer: (key: SoftwareAuthenticator, options: Json) => Json][] = [
  ['without user verification', (key, options) => key.logIn(options, { isVerified: false })],
  ['for another relying party', (key, options) => key.logIn({ ...options, rpId: 'evil.example' })],
  ['that does not say whose it is', (key, options) => key.logIn(options, { userHandle: undefined })],
  [
    'that names another account',
    (key, options) => key.logIn(options, { userHandle: Buffer.from('tongtu:999').toString('base64url') }),
  ],
  ['of an unknown passkey', (_key, options) => new SoftwareAuthenticator().logIn(options)],
  [
    'whose signature is another one’s',
    (key, options) => {
      const other = new SoftwareAuthenticator().logIn(options) as { response: Json };
      const own = key.logIn(options) as { response: Json };
      return { ...own, response: { ...own.response, signature: other.response['signature'] } };
    },
  ],
  [
    'whose counter goes back',
    (key, options) => {
      key.counter = -1; // the passkey was created with 1
      return key.logIn(options);
    },
  ],
];

test.each(lies)('an answer %s logs nobody in', async (_what, answer) => {
  await using li = await openHome();
  const options = await askForOptions(li.browser);

  expect(await send(li.browser, answer(li.key, options))).toMatchObject(failed);
  expect(await isLoggedIn(li.browser)).toBe(false);
});

test('an answer that a page of another origin obtained logs nobody in', async () => {
  await using li = await openHome();
  const foreign = new SoftwareAuthenticator('http://nas.localhost');
  await addPasskeyElsewhere(li.home, foreign);
  const options = await askForOptions(li.browser);
  const answer = foreign.logIn(options);

  expect(await send(li.browser, answer)).toMatchObject(failed);
  const again = foreign.logIn(await askForOptions(li.browser));
  expect(await send(li.browser, again, { origin: 'http://nas.localhost' })).toMatchObject({ status: 403 });
  expect(await isLoggedIn(li.browser)).toBe(false);
});

/** A passkey of the account whose browser stands on another origin afterwards. */
async function addPasskeyElsewhere(browser: TestBrowser, key: SoftwareAuthenticator): Promise<void> {
  const { options } = (await browser.call('POST', '/api/user/passkeys/options/')).body as { options: Json };
  const response = key.create(options) as { response: Json };
  const clientData = JSON.parse(
    Buffer.from(String(response.response['clientDataJSON']), 'base64url').toString(),
  ) as Json;
  const honest = Buffer.from(JSON.stringify({ ...clientData, origin: 'http://localhost' })).toString('base64url');
  const body = { name: 'k', response: { ...response, response: { ...response.response, clientDataJSON: honest } } };
  expect((await browser.call('POST', '/api/user/passkeys/', body)).status).toBe(201); // without attestation nothing signs it
}

test('a challenge is for one answer: of several at once one logs in, and a replay does not', async () => {
  await using li = await openHome();
  const answer = li.key.logIn(await askForOptions(li.browser));

  const replies = await Promise.all(Array.from({ length: 5 }, () => send(li.browser, answer)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const reply of replies.filter(({ status }) => status !== 200)) expect(reply).toMatchObject(expired);

  await askForOptions(li.browser);
  expect(await send(li.browser, answer)).toMatchObject(expired);
});

test('a wrong answer uses the challenge up', async () => {
  await using li = await openHome();
  const options = await askForOptions(li.browser);
  await send(li.browser, new SoftwareAuthenticator().logIn(options));

  expect(await send(li.browser, li.key.logIn(options))).toMatchObject(expired);
});

test('a challenge belongs to the browser that asked for it, and each of its tabs has its own', async () => {
  await using li = await openHome();
  const [first, second] = [await askForOptions(li.browser), await askForOptions(li.browser)];
  const other = li.app.browser();
  await askForOptions(other);

  expect(await send(other, li.key.logIn(first))).toMatchObject(expired);
  expect(await send(li.app.browser(), li.key.logIn(first))).toMatchObject({ status: 403 }); // no CSRF token
  expect((await send(li.browser, li.key.logIn(first))).status).toBe(200);
  const again = li.app.browser();
  for (const [name, value] of li.browser.cookies) if (name === 'browser') again.cookies.set(name, value);
  await again.call('GET', '/api/login_status/');
  expect((await send(again, li.key.logIn(second))).status).toBe(200);
});

test('a challenge expires after five minutes, and is deleted then', async () => {
  await using li = await openHome();
  const answer = li.key.logIn(await askForOptions(li.browser));
  const minutes = async (count: number) =>
    await sql`update passkey_challenge set expires_at = expires_at - make_interval(mins => ${count})`.execute(li.db);

  await minutes(4);
  await deleteExpiredPasskeyChallenges(li.db);
  expect(await li.db.selectFrom('passkeyChallenge').select('purpose').execute()).toEqual([
    { purpose: 'passkey_login' },
  ]);
  await minutes(1);
  expect(await send(li.browser, answer)).toMatchObject(expired);
  await deleteExpiredPasskeyChallenges(li.db);
  expect(await li.db.selectFrom('passkeyChallenge').select('purpose').execute()).toEqual([]);
});

test('a challenge of a second step or a confirmation logs nobody in alone', async () => {
  await using li = await openHome();
  const { options } = (await li.home.call('POST', '/custom/confirm/passkey_options/')).body as { options: Json };
  await askForOptions(li.home);

  expect(await send(li.home, li.key.logIn(options))).toMatchObject(expired);
});

test('a deleted passkey logs nobody in', async () => {
  await using li = await openHome();
  const options = await askForOptions(li.browser);
  await li.home.call('DELETE', `/api/user/passkeys/${li.passkeyId}/`);

  expect(await send(li.browser, li.key.logIn(options))).toMatchObject(failed);
});

const newPassword = 'another good password';
const needsPassword = { status: 403, body: { code: 'passkey.needs-password' } };

/** Logs in with the password and the passkey, in a browser of its own. */
async function logInByBoth({ app, key }: Awaited<ReturnType<typeof openHome>>) {
  const browser = app.browser();
  await browser.call('GET', '/api/login_status/');
  const first = await browser.call('POST', '/custom/login/', { account: 'li', password: newPassword });
  const { token } = (first.body as { second_factor: { token: string } }).second_factor;
  const asked = await browser.call('POST', '/custom/login/second/passkey_options/', { token });
  const { options } = asked.body as { options: Json };
  const reply = await browser.call('POST', '/custom/login/second/', { token, passkey: key.get(options) });
  expect(reply).toMatchObject({ status: 200 });
  return browser;
}

test('after a reset of the password a passkey logs in alone only once it has been a second step', async () => {
  await using li = await openHome();
  await resetPassword(li.db, li.userId, newPassword);
  expect(await send(li.browser, li.key.logIn(await askForOptions(li.browser)))).toMatchObject(needsPassword);
  expect(await isLoggedIn(li.browser)).toBe(false);

  const browser = await logInByBoth(li);
  const { passkeys } = (await browser.call('GET', '/api/user/security/')).body as { passkeys: unknown[] };
  expect(passkeys).toMatchObject([{ needs_password: false }]);
  expect((await send(li.browser, li.key.logIn(await askForOptions(li.browser)))).status).toBe(200);
});

test('a passkey that somebody else left before the reset stays useless when the owner uses their own', async () => {
  await using li = await openHome();
  const planted = new SoftwareAuthenticator();
  await addPasskey(li.home, planted);
  await resetPassword(li.db, li.userId, newPassword);

  const browser = await logInByBoth(li);

  expect(await send(li.browser, planted.logIn(await askForOptions(li.browser)))).toMatchObject(needsPassword);
  const { passkeys } = (await browser.call('GET', '/api/user/security/')).body as { passkeys: unknown[] };
  expect(passkeys).toMatchObject([{ needs_password: false }, { needs_password: true }]);
});

test('a confirmation does not let a passkey log in alone again', async () => {
  await using li = await openHome();
  await resetPassword(li.db, li.userId, newPassword);
  const home = await li.app.browserOf(li.userId);
  const { options } = (await home.call('POST', '/custom/confirm/passkey_options/')).body as { options: Json };
  expect(await home.call('POST', '/custom/confirm/', { passkey: li.key.get(options) })).toMatchObject({ status: 200 });

  expect(await send(li.browser, li.key.logIn(await askForOptions(li.browser)))).toMatchObject(needsPassword);
});

test('a passkey that is added after the reset logs in alone', async () => {
  await using li = await openHome();
  await resetPassword(li.db, li.userId, newPassword);
  const fresh = new SoftwareAuthenticator();
  await addPasskey(await li.app.browserOf(li.userId), fresh);

  expect((await send(li.browser, fresh.logIn(await askForOptions(li.browser)))).status).toBe(200);
});

test('a passkey whose login waits for the reset is refused, and so is one that is being added', async () => {
  await using li = await openHome();
  const answer = li.key.logIn(await askForOptions(li.browser));
  const { options } = (await li.home.call('POST', '/api/user/passkeys/options/')).body as { options: Json };
  const response = new SoftwareAuthenticator().create(options);
  let added: unknown;

  await li.db.transaction().execute(async (tx) => {
    await tx.selectFrom('userAccount').select('id').forUpdate().execute();
    const reset = resetPassword(li.db, li.userId, newPassword);
    await expect.poll(async () => await countWaiting(li.t)).toBe(1);
    const later = [send(li.browser, answer), li.home.call('POST', '/api/user/passkeys/', { name: '晚了', response })];
    await expect.poll(async () => await countWaiting(li.t)).toBe(3);
    added = Promise.all([reset, ...later]);
  });

  expect(await added).toMatchObject(['li', needsPassword, { status: 403, body: { code: 'session.confirm-required' } }]);
});

test('a passkey of a disabled account logs nobody in', async () => {
  await using li = await openHome();
  await li.db.updateTable('userAccount').set({ disabledAt: new Date() }).execute();

  expect(await send(li.browser, li.key.logIn(await askForOptions(li.browser)))).toMatchObject({
    body: { code: 'user.disabled' },
  });
  expect(await isLoggedIn(li.browser)).toBe(false);
});

test('a passkey that is deleted while its answer is checked logs nobody in', async () => {
  await using li = await openHome();
  const answer = li.key.logIn(await askForOptions(li.browser));

  const [deleted, login] = await runBothWhileLocked(
    li.t,
    async (tx) => await tx.selectFrom('userAccount').select('id').forUpdate().execute(),
    async () => await li.home.call('DELETE', `/api/user/passkeys/${li.passkeyId}/`),
    async () => await send(li.browser, answer),
  );

  expect(deleted).toMatchObject({ value: { status: 200 } });
  expect(login).toMatchObject({ value: failed });
});

test('a passkey of one console host logs nobody in at another', async () => {
  await using li = await openHome();
  const there = { host: 'console.example', origin: 'http://console.example' };
  const options = await askForOptions(li.browser, there);
  expect(options['rpId']).toBe('console.example');

  expect(await send(li.browser, li.key.logIn(options), there)).toMatchObject(failed);
});

test.each([
  {},
  { id: 7, response: {} },
  { id: 'x', response: { clientDataJSON: 'not json' } },
  { id: 'x', response: { clientDataJSON: Buffer.from('{"challenge":7}').toString('base64url') } },
])('a malformed answer %j is refused', async (answer) => {
  await using li = await openHome();
  await askForOptions(li.browser);

  const { status } = await send(li.browser, answer);
  expect(status).toBe(422);
});

test('a passkey logs in while wrong passwords have locked the name', async () => {
  await using li = await openHome();
  await sql`
    insert into failed_attempt (key, failures, locked_until)
    values ('name:li', 10, now() + interval '15 minutes')`.execute(li.db);

  expect((await send(li.browser, li.key.logIn(await askForOptions(li.browser)))).status).toBe(200);
});

test('a network has 30 passkey logins a minute', async () => {
  await using li = await openHome();
  const options = await askForOptions(li.browser);
  const answer = new SoftwareAuthenticator().logIn(options);
  for (let i = 0; i < 30; i++) expect((await send(li.browser, answer)).status).not.toBe(429);

  expect(await send(li.browser, answer)).toMatchObject({ status: 429 });
});
