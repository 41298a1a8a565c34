import type { LinkMade, Member } from '@tongtu/contract';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { insertUser } from '../../testing/device-fixtures.ts';
import { insertAccount, openAccountApp } from '../../testing/apps/open-account-app.ts';
import { check, openGateApp, ticketOf } from '../../testing/apps/open-gate-app.ts';
import { deleteDueAccounts } from '../account-data/index.ts';
import type { TestBrowser } from '../../testing/apps/open-test-app.ts';

const password = 'a lion in the garden';

/** An owner with a mapping that a contact without an account is a member of, and the calls of accounts beside it. */
async function openSharing(t: TestDb) {
  await using parts = new AsyncDisposableStack();
  const gate = parts.use(await openGateApp(t));
  const accounts = parts.use(await openAccountApp(t.db));
  const owner = await accounts.browserOf(gate.userId);
  const added = await gate.owner.call('POST', `/api/user/records/${gate.mappingId}/members/`, {
    contact: 'mama@example.com',
  });
  const running = parts.move();
  const members = async () => (await gate.owner.call('GET', `/api/user/records/${gate.mappingId}/members/`)).body;
  const invite = async (id: number, by: TestBrowser = owner) =>
    await by.call('POST', `/api/user/members/${id}/invitation/`);
  return {
    ...{ gate, accounts, owner, members, invite, memberId: (added.body as Member).id },
    token: async (id: number) => tokenOf(((await invite(id)).body as LinkMade).url),
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  };
}

function tokenOf(url: string): string {
  return url.split('token=')[1] ?? '';
}

const join = (token: string, username: string) => ({ token, username, new_password: password, accepted_terms: true });

test('a member who has no account joins by the link, and may open what is shared', async () => {
  await using t = await openTestDb();
  await using sharing = await openSharing(t);
  expect(await sharing.members()).toMatchObject([{ contact: 'mama@example.com', joined_at: null, account: '' }]);
  const token = await sharing.token(sharing.memberId);
  const browser = sharing.accounts.browser();
  await browser.call('GET', '/api/login_status/');

  expect((await browser.call('POST', '/api/invitation/look/', { token })).body).toMatchObject({
    ...{ purpose: 'join', invited_by: 'li', address: 'nas.localhost', can_join: true },
  });
  const { body } = await browser.call('POST', '/api/invitation/join/', join(token, '妈妈'));
  expect(await sharing.members()).toMatchObject([{ joined_at: expect.any(String), account: '妈妈' }]);

  const visitor = await sharing.gate.app.browserOf((body as { id: number }).id);
  expect(await check(visitor)).toMatchObject({ allowed: true });
  expect((await visitor.call('GET', '/api/user/shared_with_me/')).body).toMatchObject([{ owner: 'li' }]);
  expect(await sharing.invite(sharing.memberId)).toMatchObject({ body: { code: 'invitation.needless' } });

  await sharing.gate.owner.call('DELETE', `/api/user/members/${sharing.memberId}/`);
  expect(await check(visitor)).toMatchObject({ allowed: false });
});

test('a member whose account is deleted has not joined any more, and can be invited again', async () => {
  await using t = await openTestDb();
  await using sharing = await openSharing(t);
  await insertAccount(t.db, { username: 'admin', isSuperuser: true });
  const zhao = await insertAccount(t.db, { username: 'zhao' });
  const member = await sharing.accounts.browserOf(zhao);
  await member.call('POST', '/api/invitation/accept/', { token: await sharing.token(sharing.memberId) });
  expect(await sharing.members()).toMatchObject([{ joined_at: expect.any(String), account: 'zhao' }]);

  await t.db
    .updateTable('userAccount')
    .set({ deletionAt: new Date(0) })
    .where('id', '=', zhao)
    .execute();
  await deleteDueAccounts({ db: t.db, log: pino({ level: 'silent' }), handOver: async () => {} });

  expect(await sharing.members()).toMatchObject([{ joined_at: null, account: '' }]);
  expect(await sharing.invite(sharing.memberId)).toMatchObject({ status: 201 });
});

test('an account that there is accepts the link; its owner cannot, and nobody by a link of staff', async () => {
  await using t = await openTestDb();
  await using sharing = await openSharing(t);
  const token = await sharing.token(sharing.memberId);
  const zhao = await insertAccount(t.db, { username: 'zhao' });
  const member = await sharing.accounts.browserOf(zhao);
  const accept = async (browser: TestBrowser, shown: string) =>
    await browser.call('POST', '/api/invitation/accept/', { token: shown });

  expect(await accept(sharing.owner, token)).toMatchObject({ body: { code: 'invitation.own' } });
  expect(await accept(member, token)).toMatchObject({ status: 200 });
  expect(await accept(member, token)).toMatchObject({ body: { code: 'invitation.not-found' } });
  expect(await check(await sharing.gate.app.browserOf(zhao))).toMatchObject({ allowed: true });

  const staff = await sharing.accounts.browserOf(await insertAccount(t.db, { username: 'staff', isStaff: true }));
  const { body } = await staff.call('POST', '/api/manage/invitations/', { valid_hours: 1 });
  const ofStaff = tokenOf((body as LinkMade).url);
  expect(await accept(member, ofStaff)).toMatchObject({ body: { code: 'invitation.not-found' } });
  expect(await member.call('POST', '/api/invitation/look/', { token: ofStaff })).toMatchObject({ status: 200 });
});

test('a member who has proven the contact has joined by opening the address', async () => {
  await using t = await openTestDb();
  await using sharing = await openSharing(t);
  const id = await insertUser(t.db, 'zhao');
  await t.db.updateTable('userAccount').set({ email: 'Mama@example.com' }).where('id', '=', id).execute();
  expect(await sharing.members()).toMatchObject([{ joined_at: null }]); // or it would say that there is an account
  const visitor = await sharing.gate.app.browserOf(id);
  await visitor.call('GET', '/api/user/shared_with_me/');
  expect(await sharing.members()).toMatchObject([{ joined_at: null }]);

  await sharing.gate.redeem(ticketOf(await check(visitor)));
  expect(await sharing.members()).toMatchObject([{ joined_at: expect.any(String), account: '' }]);
});

test('a second link takes the place of the first; a removed member’s link is worth nothing', async () => {
  await using t = await openTestDb();
  await using sharing = await openSharing(t);
  const [first, second] = [await sharing.token(sharing.memberId), await sharing.token(sharing.memberId)];
  const look = async (token: string) => (await sharing.owner.call('POST', '/api/invitation/look/', { token })).status;
  expect([await look(first), await look(second)]).toEqual([404, 200]);

  await sharing.gate.owner.call('DELETE', `/api/user/members/${sharing.memberId}/`);
  expect(await look(second)).toBe(404);
});

test('nobody invites for the mapping of somebody else, nor too often', async () => {
  await using t = await openTestDb();
  await using sharing = await openSharing(t);
  const other = await sharing.accounts.browserOf(await insertAccount(t.db, { username: 'zhao', isSuperuser: true }));
  expect(await sharing.invite(sharing.memberId, other)).toMatchObject({ body: { code: 'member.not-found' } });
  expect(await sharing.invite(999_999)).toMatchObject({ body: { code: 'member.not-found' } });

  for (let n = 0; n < 20; n++) expect((await sharing.invite(sharing.memberId)).status).toBe(201);
  expect(await sharing.invite(sharing.memberId)).toMatchObject({
    status: 429,
    body: { code: 'invitation.daily-limit' },
  });
});

test('while registration is closed owners invite nobody, and their links make no account', async () => {
  await using t = await openTestDb();
  await using sharing = await openSharing(t);
  const token = await sharing.token(sharing.memberId);
  const admin = await sharing.accounts.browserOf(await insertAccount(t.db, { username: 'admin', isSuperuser: true }));
  await admin.call('PATCH', '/api/manage/registration/', { registration: 'closed' });

  expect(await sharing.invite(sharing.memberId)).toMatchObject({ body: { code: 'registration.closed' } });
  expect((await admin.call('POST', '/api/invitation/look/', { token })).body).toMatchObject({ can_join: false });
  const browser = sharing.accounts.browser();
  await browser.call('GET', '/api/login_status/');
  const joined = await browser.call('POST', '/api/invitation/join/', join(token, 'mama'));
  expect(joined).toMatchObject({ status: 403, body: { code: 'registration.closed' } });

  const { body } = await admin.call('POST', '/api/manage/invitations/', { valid_hours: 1 });
  const ofStaff = await browser.call('POST', '/api/invitation/join/', join(tokenOf((body as LinkMade).url), 'mama'));
  expect(ofStaff).toMatchObject({ status: 200 });
});
