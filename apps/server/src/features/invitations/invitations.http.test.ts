import type { LinkMade } from '@tongtu/contract';
import { expect, test, vi } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { captureLog } from '../../testing/capture-log.ts';
import { insertAccount, openAccountApp, testPassword } from '../../testing/apps/open-account-app.ts';
import type { TestApp, TestBrowser } from '../../testing/apps/open-test-app.ts';
import { solveCaptcha } from '../../testing/solve-captcha.ts';
import { resetPassword } from '../users/index.ts';
import { hashSecret } from '../../hash-secret.ts';
import { deleteExpiredInvitations } from './invitation-store.ts';

const manage = '/api/manage/invitations/';
const password = 'a lion in the garden';
const unknown = { status: 404, body: { code: 'invitation.not-found' } };

type Mail = { to: string; text: string };

async function openInviting(db: Db) {
  const mails: Mail[] = [];
  const { log, lines } = captureLog();
  const app = await openAccountApp(db, { log, mailer: { send: async (mail) => void mails.push(mail) } });
  const staffId = await insertAccount(db, { username: 'staff', isStaff: true });
  const staff = await app.browserOf(staffId);
  return { app, mails, lines, staff, staffId, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

async function visitorOf(app: TestApp): Promise<TestBrowser> {
  const browser = app.browser();
  await browser.call('GET', '/api/login_status/');
  return browser;
}

async function inviteBy(staff: TestBrowser, input: object = {}): Promise<LinkMade> {
  const { status, body, text } = await staff.call('POST', manage, { valid_hours: 24, ...input });
  if (status !== 201) throw new Error(text);
  return body as LinkMade;
}

function tokenOf(text: string): string {
  return /#\/join\?token=([\w-]{22})/.exec(text)?.[1] ?? '';
}

const join = (token: string, username: string) => ({ token, username, new_password: password, accepted_terms: true });

test('somebody who was invited makes an account and is logged in; the link works once', async () => {
  await using t = await openTestDb();
  await using inviting = await openInviting(t.db);
  const { url } = await inviteBy(inviting.staff, { note: '妈妈' });
  const token = tokenOf(url);
  expect((await inviting.staff.call('GET', manage)).body).toMatchObject([{ note: '妈妈', invited_by: 'staff' }]);
  const visitor = await visitorOf(inviting.app);

  expect((await visitor.call('POST', '/api/invitation/look/', { token })).body).toMatchObject({
    ...{ purpose: 'join', invited_by: 'staff', address: '', can_join: true },
  });
  const reply = await visitor.call('POST', '/api/invitation/join/', join(token, '妈妈'));
  expect(reply).toMatchObject({ status: 200, body: { second_factor: null } });
  expect((await visitor.call('GET', '/api/profile/')).body).toMatchObject([
    { username: '妈妈', accepted_terms_of_service: true, is_staff: false, is_superuser: false },
  ]);

  const other = await visitorOf(inviting.app);
  expect(await other.call('POST', '/api/invitation/look/', { token })).toMatchObject(unknown);
  expect(await other.call('POST', '/api/invitation/join/', join(token, 'wang'))).toMatchObject(unknown);
  expect((await inviting.staff.call('GET', manage)).body).toEqual([]);
});

test('the database keeps a hash of the token, and no log line has the token', async () => {
  await using t = await openTestDb();
  await using inviting = await openInviting(t.db);
  const token = tokenOf((await inviteBy(inviting.staff)).url);
  await (await visitorOf(inviting.app)).call('POST', '/api/invitation/look/', { token });

  const rows = await t.db.selectFrom('invitation').selectAll().execute();
  expect(rows).toMatchObject([{ tokenHash: hashSecret(token) }]);
  expect(JSON.stringify(rows)).not.toContain(token);
  expect(JSON.stringify(inviting.lines)).not.toContain(token);
});

test('of two who come with one link at once, one joins', async () => {
  await using t = await openTestDb();
  await using inviting = await openInviting(t.db);
  const token = tokenOf((await inviteBy(inviting.staff)).url);
  const visitors = [await visitorOf(inviting.app), await visitorOf(inviting.app)];

  const replies = await Promise.all(
    visitors.map(async (visitor, n) => await visitor.call('POST', '/api/invitation/join/', join(token, `wang${n}`))),
  );

  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
});

test('a name that is taken and a password that is easily guessed leave the link as good as it was', async () => {
  await using t = await openTestDb();
  await using inviting = await openInviting(t.db);
  await insertAccount(t.db, { username: 'hanmei' });
  const token = tokenOf((await inviteBy(inviting.staff)).url);
  const visitor = await visitorOf(inviting.app);
  const send = async (change: object) =>
    await visitor.call('POST', '/api/invitation/join/', { ...join(token, 'wang-lei-lei'), ...change });

  expect(await send({ username: 'HanMei' })).toMatchObject({ status: 409, body: { code: 'user.name-taken' } });
  expect(await send({ username: '客服' })).toMatchObject({ status: 422, body: { code: 'user.name-reserved' } });
  expect(await send({ new_password: 'wang-lei-lei' })).toMatchObject({ status: 422 });
  expect(await send({ accepted_terms: false })).toMatchObject({ status: 422 });
  expect(await send({})).toMatchObject({ status: 200 });
});

test.each([
  ['expired', { expiresAt: new Date(0) }, {}],
  ['whose maker is disabled', {}, { disabledAt: new Date() }],
  ['whose maker is no longer staff', {}, { isStaff: false }],
])('a link %s is worth nothing', async (_what, ofLink, ofStaff) => {
  await using t = await openTestDb();
  await using inviting = await openInviting(t.db);
  const token = tokenOf((await inviteBy(inviting.staff)).url);
  if (Object.keys(ofLink).length > 0) await t.db.updateTable('invitation').set(ofLink).execute();
  if (Object.keys(ofStaff).length > 0)
    await t.db.updateTable('userAccount').set(ofStaff).where('id', '=', inviting.staffId).execute();

  const visitor = await visitorOf(inviting.app);
  expect(await visitor.call('POST', '/api/invitation/look/', { token })).toMatchObject(unknown);
  expect(await visitor.call('POST', '/api/invitation/join/', join(token, 'wang'))).toMatchObject(unknown);
});

test('staff revoke an invitation; those that expired are deleted', async () => {
  await using t = await openTestDb();
  await using inviting = await openInviting(t.db);
  const { id, url } = await inviteBy(inviting.staff);

  expect(await inviting.staff.call('DELETE', `${manage}${id}/`)).toMatchObject({ status: 200 });
  expect(await inviting.staff.call('DELETE', `${manage}${id}/`)).toMatchObject(unknown);
  const visitor = await visitorOf(inviting.app);
  expect(await visitor.call('POST', '/api/invitation/look/', { token: tokenOf(url) })).toMatchObject(unknown);

  await inviteBy(inviting.staff);
  await t.db
    .updateTable('invitation')
    .set({ expiresAt: new Date(0) })
    .execute();
  await deleteExpiredInvitations(t.db);
  expect(await t.db.selectFrom('invitation').select('id').execute()).toEqual([]);
});

test('an invitation by mail is shown to nobody but its reader, whose address is proven by it', async () => {
  await using t = await openTestDb();
  await using inviting = await openInviting(t.db);
  const made = await inviteBy(inviting.staff, { email: 'mama@example.com' });
  expect(made).toMatchObject({ url: '', email: 'mama@example.com' });
  expect(inviting.mails).toMatchObject([{ to: 'mama@example.com' }]);
  const token = tokenOf(inviting.mails[0]?.text ?? '');

  const visitor = await visitorOf(inviting.app);
  await visitor.call('POST', '/api/invitation/join/', join(token, 'mama'));
  expect((await visitor.call('GET', '/api/profile/')).body).toMatchObject([{ email: 'mama@example.com' }]);
});

test('an address that another account has meanwhile stays there', async () => {
  await using t = await openTestDb();
  await using inviting = await openInviting(t.db);
  await inviteBy(inviting.staff, { email: 'mama@example.com' });
  await insertAccount(t.db, { username: 'other', email: 'Mama@example.com' });

  const visitor = await visitorOf(inviting.app);
  const token = tokenOf(inviting.mails[0]?.text ?? '');
  expect(await visitor.call('POST', '/api/invitation/join/', join(token, 'mama'))).toMatchObject({ status: 200 });
  expect((await visitor.call('GET', '/api/profile/')).body).toMatchObject([{ email: '' }]);
});

test('without a mail server there are no invitations by mail, and a failed mail leaves none behind', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const staff = await app.browserOf(await insertAccount(t.db, { username: 'staff', isStaff: true }));

  const reply = await staff.call('POST', manage, { valid_hours: 1, email: 'mama@example.com' });
  expect(reply).toMatchObject({ status: 503, body: { code: 'mail.unavailable' } });
  expect(await t.db.selectFrom('invitation').select('id').execute()).toEqual([]);
});

test('a link for a password ends other logins and links, and is over when the password has changed', async () => {
  await using t = await openTestDb();
  await using inviting = await openInviting(t.db);
  const li = await insertAccount(t.db);
  const before = await inviting.app.browserOf(li);
  const link = async () =>
    tokenOf(
      (
        (await inviting.staff.call('POST', `/api/manage/users/${li}/password_link/`, { valid_hours: 1 }))
          .body as LinkMade
      ).url,
    );
  const [first, second] = [await link(), await link()];
  const visitor = await visitorOf(inviting.app);
  const choose = async (token: string, new_password = password) =>
    await visitor.call('POST', '/api/invitation/password/', { token, new_password });

  expect(await choose(first)).toMatchObject(unknown);
  expect(await choose(second, 'li')).toMatchObject({ status: 422 });
  expect(await choose(second)).toMatchObject({ status: 200, body: { username: 'li' } });
  expect(await choose(second)).toMatchObject(unknown);
  expect((await before.call('GET', '/api/login_status/')).body).toMatchObject({ logged_in: false });

  const third = await link();
  const owner = await inviting.app.browserOf(li);
  await owner.call('POST', '/custom/password/', { old_password: password, new_password: testPassword });
  expect(await choose(third)).toMatchObject(unknown);
});

test('links that somebody made in an account of staff end with the reset of its password', async () => {
  await using t = await openTestDb();
  await using inviting = await openInviting(t.db);
  const li = await insertAccount(t.db);
  const made = await inviting.staff.call('POST', `/api/manage/users/${li}/password_link/`, { valid_hours: 720 });
  const tokens = [(await inviteBy(inviting.staff)).url, (made.body as LinkMade).url].map(tokenOf);
  const visitor = await visitorOf(inviting.app);
  const look = async (token: string) => (await visitor.call('POST', '/api/invitation/look/', { token })).status;
  expect([await look(tokens[0] ?? ''), await look(tokens[1] ?? '')]).toEqual([200, 200]);

  await resetPassword(t.db, inviting.staffId, password);

  expect([await look(tokens[0] ?? ''), await look(tokens[1] ?? '')]).toEqual([404, 404]);
});

test('an account is sent a link for its password; nothing says whether there is one', async () => {
  await using t = await openTestDb();
  await using inviting = await openInviting(t.db);
  await insertAccount(t.db, { email: 'li@example.com' });
  const visitor = await visitorOf(inviting.app);
  const ask = async (email: string, ticket?: string) =>
    await visitor.call('POST', '/api/invitation/forgotten/', { email, ticket });
  expect(await ask('li@example.com')).toMatchObject({ status: 403, body: { code: 'captcha.required' } });

  const known = await ask('LI@example.com', await solveCaptcha(t.db, visitor, 'sms'));
  const other = await ask('nobody@example.com', await solveCaptcha(t.db, visitor, 'sms'));
  expect([known.status, known.text]).toEqual([other.status, other.text]);
  expect(await ask('li@example.com', await solveCaptcha(t.db, visitor, 'sms'))).toMatchObject({ status: 429 });

  await vi.waitFor(() => expect(inviting.mails).toHaveLength(1));
  expect(inviting.mails).toMatchObject([{ to: 'li@example.com' }]);
  const token = tokenOf(inviting.mails[0]?.text ?? '');
  const chosen = await visitor.call('POST', '/api/invitation/password/', { token, new_password: password });
  expect(chosen).toMatchObject({ body: { username: 'li' } });
});

test('a link that was mailed is over when the account has another address', async () => {
  await using t = await openTestDb();
  await using inviting = await openInviting(t.db);
  const li = await insertAccount(t.db, { email: 'li@example.com' });
  const visitor = await visitorOf(inviting.app);
  const ticket = await solveCaptcha(t.db, visitor, 'sms');
  await visitor.call('POST', '/api/invitation/forgotten/', { email: 'li@example.com', ticket });
  await vi.waitFor(() => expect(inviting.mails).toHaveLength(1));
  await t.db.updateTable('userAccount').set({ email: 'new@example.com' }).where('id', '=', li).execute();

  const token = tokenOf(inviting.mails[0]?.text ?? '');
  expect(await visitor.call('POST', '/api/invitation/look/', { token })).toMatchObject(unknown);
});

test('a session spares the captcha for its own address alone', async () => {
  await using t = await openTestDb();
  await using inviting = await openInviting(t.db);
  await insertAccount(t.db, { email: 'li@example.com' });
  const other = await inviting.app.browserOf(
    await insertAccount(t.db, { username: 'wang', email: 'wang@example.com' }),
  );
  const ask = async (email: string, ticket?: string) =>
    await other.call('POST', '/api/invitation/forgotten/', { email, ticket });

  expect(await ask('li@example.com')).toMatchObject({ status: 403, body: { code: 'captcha.required' } });
  expect(await ask('WANG@example.com')).toMatchObject({ status: 200 });
  await vi.waitFor(() => expect(inviting.mails).toMatchObject([{ to: 'wang@example.com' }]));
  expect(await ask('li@example.com', await solveCaptcha(t.db, other, 'sms'))).toMatchObject({ status: 200 });
  await vi.waitFor(() => expect(inviting.mails).toHaveLength(2));
});

test('many mails to an address, asked for from one network, end neither its mails nor the link sent before', async () => {
  await using t = await openTestDb();
  await using inviting = await openInviting(t.db);
  await insertAccount(t.db, { email: 'li@example.com' });
  const visitor = await visitorOf(inviting.app);
  /** A minute after the mail before. */
  const ask = async (ip: string) => {
    await t.db.deleteFrom('rateCount').where('key', 'like', 'password mails to, pause %').execute();
    const ticket = await solveCaptcha(t.db, visitor, 'sms');
    const body = { email: 'li@example.com', ticket };
    return await visitor.call('POST', '/api/invitation/forgotten/', body, { 'x-forwarded-for': ip });
  };
  const dailyLimit = { status: 429, body: { code: 'code.daily-limit' } };

  expect(await ask('198.51.100.1')).toMatchObject({ status: 200 });
  await vi.waitFor(() => expect(inviting.mails).toHaveLength(1));
  for (let n = 1; n <= 5; n++) expect(await ask(`2001:db8:1:${n}::1`)).toMatchObject({ status: 200 });
  expect(await ask('2001:db8:1:6::1')).toMatchObject(dailyLimit);
  expect(await ask('198.51.100.1')).toMatchObject({ status: 200 });
  await vi.waitFor(() => expect(inviting.mails).toHaveLength(7));

  const tokens = inviting.mails.map(({ text }) => tokenOf(text));
  const choose = async (token = '') =>
    await visitor.call('POST', '/api/invitation/password/', { token, new_password: password });
  expect(await choose(tokens[0])).toMatchObject({ body: { username: 'li' } });
  for (const token of tokens) expect(await choose(token)).toMatchObject(unknown);

  for (let n = 1; n <= 13; n++) expect(await ask(`203.0.113.${n}`)).toMatchObject({ status: 200 });
  expect(await ask('203.0.113.14')).toMatchObject(dailyLimit);
});
