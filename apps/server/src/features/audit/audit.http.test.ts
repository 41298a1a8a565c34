import type { AuditEntry } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertServer } from '../../testing/device-fixtures.ts';
import { openTestApp, type TestApp } from '../../testing/apps/open-test-app.ts';
import { insertAccount, openAccountApp } from '../../testing/apps/open-account-app.ts';
import { registerAnnouncementRoutes } from '../announcements/index.ts';
import { registerServerRoutes } from '../servers/index.ts';
import { recordAuditEntry, registerAuditRoutes } from './index.ts';

const path = '/api/manage/audit/';

async function openAuditApp(db: Db): Promise<TestApp> {
  return await openTestApp(db, (app) => {
    registerAuditRoutes(app, { db });
    registerAnnouncementRoutes(app, { db });
    registerServerRoutes(app, { db });
  });
}

/** All entries, as a superuser sees them: the newest first. */
async function entriesOf(db: Db, query = ''): Promise<AuditEntry[]> {
  await using app = await openAuditApp(db);
  const [reader] = await db.selectFrom('userAccount').where('isSuperuser', '=', true).select('id').execute();
  const browser = await app.browserOf(reader!.id);
  const { body } = await browser.call('GET', `${path}${query}`);
  return (body as { results: AuditEntry[] }).results;
}

test('what staff do to an account is on record, with who, from where, to whom, before and after', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const root = await insertAccount(t.db, { username: 'root', isSuperuser: true });
  const browser = await app.browserOf(root);
  await browser.call('POST', '/api/user/sessions/confirm/', { password: 'correct horse battery' });
  const id = await insertAccount(t.db, { username: 'li' });

  await browser.call('POST', '/api/manage/users/', { username: 'wang', valid_hours: 24 });
  await browser.call('POST', `/api/manage/users/${id}/password_link/`, { valid_hours: 24 });
  await browser.call('PATCH', `/api/manage/users/${id}/`, { is_promoter: true });
  await browser.call('PATCH', `/api/manage/users/${id}/`, { is_promoter: true });
  await browser.call('POST', `/api/manage/users/${id}/disabled/`);
  await browser.call('DELETE', `/api/manage/users/${id}/disabled/`);
  await browser.call('DELETE', `/api/manage/users/${id}/`);
  await browser.call('PATCH', '/api/manage/registration/', { registration: 'closed' });
  const invited = await browser.call('POST', '/api/manage/invitations/', { note: '爸爸', valid_hours: 24 });
  await browser.call('DELETE', `/api/manage/invitations/${(invited.body as { id: number }).id}/`);

  const entries = await entriesOf(t.db);
  const li = { object_type: 'user', object_id: id, object_name: 'li' };
  expect(entries.toReversed()).toMatchObject([
    { action: 'user.created', object_type: 'user', object_name: 'wang' },
    { action: 'user.password-link-made', ...li },
    {
      ...{ action: 'user.flags-changed', ...li },
      before: { isStaff: false, isPromoter: false, isSuperuser: false },
      after: { isStaff: false, isPromoter: true, isSuperuser: false },
    },
    { action: 'user.disabled', ...li, before: { disabledAt: null }, after: { disabledAt: expect.any(String) } },
    { action: 'user.enabled', ...li, before: { disabledAt: expect.any(String) }, after: { disabledAt: null } },
    { action: 'user.deleted', ...li },
    { action: 'registration.changed', before: { registration: 'invitation' }, after: { registration: 'closed' } },
    { action: 'invitation.created', object_name: '爸爸' },
    { action: 'invitation.revoked', object_name: '爸爸' },
  ]);
  for (const entry of entries) expect(entry).toMatchObject({ actor: 'root', actor_id: root, ip: '127.0.0.1' });
  const { url } = invited.body as { url: string };
  expect(JSON.stringify(entries)).not.toContain(url.split('/').at(-1));
});

test('announcements and servers are on record', async () => {
  await using t = await openTestDb();
  await using app = await openAuditApp(t.db);
  const browser = await app.browserOf(await insertAccount(t.db, { username: 'root', isSuperuser: true }));
  const serverId = await insertServer(t.db);
  const announcement = { title: '维护', detail: '今晚', url: '', display: true, starts_at: null, ends_at: null };
  const manage = '/api/announcement/manage/';

  const made = await browser.call('POST', manage, announcement);
  const { id, revision } = made.body as { id: number; revision: number };
  await browser.call('PATCH', `${manage}${id}/`, { ...announcement, title: '推迟', revision });
  await browser.call('DELETE', `${manage}${id}/`);
  await browser.call('PATCH', `/api/manage/servers/${serverId}/`, { maintenance: true });

  expect((await entriesOf(t.db)).toReversed()).toMatchObject([
    { action: 'announcement.created', object_name: '维护', before: {}, after: { title: '维护', detail: '今晚' } },
    { action: 'announcement.changed', object_name: '推迟', before: { title: '维护' }, after: { title: '推迟' } },
    { action: 'announcement.deleted', object_name: '推迟', before: { title: '推迟' }, after: {} },
    { action: 'server.changed', object_id: serverId, before: { maintenance: false }, after: { maintenance: true } },
  ]);
});

test('a refused change leaves no entry', async () => {
  await using t = await openTestDb();
  await using app = await openAuditApp(t.db);
  const browser = await app.browserOf(await insertAccount(t.db, { username: 'root', isSuperuser: true }));

  const refused = await browser.call('DELETE', '/api/announcement/manage/99/');

  expect(refused.status).toBe(404);
  expect(await entriesOf(t.db)).toEqual([]);
});

test('staff filter by actor, action and name, page by page', async () => {
  await using t = await openTestDb();
  await using app = await openAuditApp(t.db);
  const staffId = await insertAccount(t.db, { username: 'staff', isStaff: true });
  const rootId = await insertAccount(t.db, { username: 'root', isSuperuser: true });
  const browser = await app.browserOf(staffId);
  for (const [userId, action, name] of [
    [staffId, 'order.refunded', 'T1'],
    [rootId, 'order.refunded', 'T2'],
    [rootId, 'product.changed', '50%_家庭版'],
  ] as const) {
    await recordAuditEntry(t.db, { userId, ip: '203.0.113.7' }, { action, object: { type: 'x', id: 1, name } });
  }
  await recordAuditEntry(t.db, 'service', { action: 'order.refunded', object: { type: 'order', id: 2, name: 'T3' } });
  const names = async (query: string) => {
    const { body } = await browser.call('GET', `${path}?${query}`);
    return (body as { results: AuditEntry[] }).results.map((entry) => entry.object_name);
  };

  expect(await names('')).toEqual(['T3', '50%_家庭版', 'T2', 'T1']);
  expect(await names(`actor=${rootId}`)).toEqual(['50%_家庭版', 'T2']);
  expect(await names('action=order.')).toEqual(['T3', 'T2', 'T1']);
  expect(await names('search=ROOT')).toEqual(['50%_家庭版', 'T2']);
  expect(await names(`search=${encodeURIComponent('0%_')}`)).toEqual(['50%_家庭版']);
  expect(await names('search=%25x')).toEqual([]);
  expect(await names('limit=2&offset=1')).toEqual(['50%_家庭版', 'T2']);
  expect((await browser.call('GET', `${path}?limit=1&action=order.`)).body).toMatchObject({
    count: 3,
    next: expect.stringContaining('action=order.'),
  });
});

test.each([
  ['nobody who is logged in', false, 'session.required'],
  ['a user without a flag', true, 'session.forbidden'],
])('%s is refused', async (_who, isLoggedIn, code) => {
  await using t = await openTestDb();
  await using app = await openAuditApp(t.db);
  const userId = await insertAccount(t.db);

  const browser = isLoggedIn ? await app.browserOf(userId) : app.browser();

  expect((await browser.call('GET', path)).body).toMatchObject({ code });
});

test.each(['update audit_entry set actor = $$x$$', 'delete from audit_entry', 'truncate audit_entry'])(
  'the database refuses: %s',
  async (statement) => {
    await using t = await openTestDb();
    await recordAuditEntry(t.db, 'service', { action: 'order.refunded', object: { type: 'order', id: 1, name: 'T1' } });

    await expect(sql.raw(statement).execute(t.db)).rejects.toThrow('rows of audit_entry are never changed');

    expect(await t.db.selectFrom('auditEntry').select('objectName').execute()).toEqual([{ objectName: 'T1' }]);
  },
);

test('entries stay when their actor is deleted', async () => {
  await using t = await openTestDb();
  const userId = await insertAccount(t.db, { username: 'staff' });
  await recordAuditEntry(
    t.db,
    { userId, ip: '203.0.113.7' },
    { action: 'x.y', object: { type: 'x', id: 1, name: '' } },
  );

  await t.db.deleteFrom('userAccount').where('id', '=', userId).execute();

  expect(await t.db.selectFrom('auditEntry').select(['actor', 'actorId']).execute()).toEqual([
    { actor: 'staff', actorId: userId },
  ]);
});
