import type { Announcement, ManagedAnnouncement } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { openTestApp, type TestBrowser } from '../../testing/apps/open-test-app.ts';
import { publishDue, registerAnnouncementRoutes } from './index.ts';

const manage = '/api/announcement/manage/';
const routes = (db: Db) => (app: FastifyInstance) => registerAnnouncementRoutes(app, { db });
const body = { title: '维护', detail: '今晚升级', url: '', display: true, starts_at: null, ends_at: null };
const fromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

async function insertUser(db: Db, username: string, flags: { isStaff?: boolean; isPromoter?: boolean } = {}) {
  const user = { username, ...flags };
  return (await db.insertInto('userAccount').values(user).returning('id').executeTakeFirstOrThrow()).id;
}

async function listShown(browser: TestBrowser): Promise<Announcement[]> {
  return (await browser.call('GET', '/api/announcement/announcements/')).body as Announcement[];
}

async function write(staff: TestBrowser, fields: object): Promise<ManagedAnnouncement> {
  const reply = await staff.call('POST', manage, { ...body, ...fields });
  expect(reply.status).toBe(201);
  return reply.body as ManagedAnnouncement;
}

test('everybody sees at once what staff add, change and delete', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, routes(t.db));
  const staff = await app.browserOf(await insertUser(t.db, 'staff', { isStaff: true }));
  const anonymous = app.browser();

  const { id, revision } = await write(staff, { url: 'https://example.com/notes' });
  const [shown] = await listShown(anonymous);
  expect(shown).toMatchObject({ title: '维护', detail: '今晚升级', url: 'https://example.com/notes', display: true });
  expect(Math.abs(Date.parse(shown!.published_at) - Date.now())).toBeLessThan(60_000);

  const changed = await staff.call('PATCH', `${manage}${id}/`, { ...body, detail: '改到\n明晚', revision });
  expect(changed).toMatchObject({ status: 200, body: { id, detail: '改到\n明晚' } });
  expect(await listShown(anonymous)).toEqual([{ ...shown, detail: '改到\n明晚', url: '' }]);

  expect(await staff.call('DELETE', `${manage}${id}/`)).toMatchObject({ status: 200, body: { ok: true } });
  expect(await listShown(anonymous)).toEqual([]);
});

test('an announcement is shown within its time unless hidden, and staff see all, the latest first', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, routes(t.db));
  const staff = await app.browserOf(await insertUser(t.db, 'staff', { isStaff: true }));
  await write(staff, { title: '未到', starts_at: fromNow(60) });
  await write(staff, { title: '已过', ends_at: fromNow(-60) });
  await write(staff, { title: '隐藏', display: false });
  await write(staff, { title: '正在', starts_at: fromNow(-60), ends_at: fromNow(60) });

  expect((await listShown(app.browser())).map(({ title }) => title)).toEqual(['正在']);
  const { body: page } = await staff.call('GET', manage);
  expect(page).toMatchObject({ count: 4, next: null });
  expect((page as { results: ManagedAnnouncement[] }).results.map(({ title }) => title)).toEqual([
    '正在',
    '隐藏',
    '已过',
    '未到',
  ]);
});

test('an announcement that starts later gets a higher number than those already shown', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, routes(t.db));
  const staff = await app.browserOf(await insertUser(t.db, 'staff', { isStaff: true }));
  const { id: laterId } = await write(staff, { title: '稍后', starts_at: fromNow(60) });
  await write(staff, { title: '现在' });
  const [now] = await listShown(app.browser());
  await t.db.updateTable('announcement').set({ startsAt: new Date() }).where('id', '=', laterId).execute();

  await publishDue(t.db);
  await publishDue(t.db);

  const shown = await listShown(app.browser());
  expect(shown.map(({ title }) => title)).toEqual(['现在', '稍后']);
  expect(shown[1]!.id).toBeGreaterThan(now!.id);
});

test('open consoles are notified of each change and each start, and of nothing else', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, routes(t.db));
  const staff = await app.browserOf(await insertUser(t.db, 'staff', { isStaff: true }));
  const events: string[] = [];
  const twice = Promise.withResolvers<void>();
  const record = (payload: string): void => void (events.push(payload) === 2 && twice.resolve());
  await t.listen('live', record, () => undefined);

  await publishDue(t.db);
  await write(staff, { starts_at: fromNow(60) });
  await t.db.updateTable('announcement').set({ startsAt: new Date() }).execute();
  await publishDue(t.db);
  await twice.promise;

  expect(events.map((payload) => JSON.parse(payload))).toEqual([
    { topic: 'announcements' },
    { topic: 'announcements' },
  ]);
});

test('only staff can list and edit announcements, promoters cannot', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, routes(t.db));
  const staff = await app.browserOf(await insertUser(t.db, 'staff', { isStaff: true }));
  const { id } = await write(staff, {});
  const promoter = await app.browserOf(await insertUser(t.db, 'promoter', { isPromoter: true }));
  const anonymous = app.browser();
  await anonymous.call('GET', '/api/announcement/announcements/');

  const calls = [
    ['GET', manage] as const,
    ['POST', manage, body] as const,
    ['PATCH', `${manage}${id}/`, { ...body, revision: 1 }] as const,
  ];
  for (const [method, path, sent] of [...calls, ['DELETE', `${manage}${id}/`] as const]) {
    expect(await promoter.call(method, path, sent)).toMatchObject({ status: 403, body: { code: 'session.forbidden' } });
    expect(await anonymous.call(method, path, sent)).toMatchObject({ status: 401, body: { code: 'session.required' } });
  }
  expect(await listShown(anonymous)).toHaveLength(1);
});

test('an announcement without a title, with a javascript: address, or that ends before it begins is refused', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, routes(t.db));
  const staff = await app.browserOf(await insertUser(t.db, 'staff', { isStaff: true }));
  await listShown(staff);
  const wrong: Array<[object, string]> = [
    [{ title: ' ' }, 'title'],
    [{ detail: '' }, 'detail'],
    [{ url: 'javascript:alert(1)' }, 'url'],
    [{ starts_at: fromNow(60), ends_at: fromNow(30) }, 'ends_at'],
  ];

  for (const [fields, name] of wrong) {
    const reply = await staff.call('POST', manage, { ...body, ...fields });
    expect(reply).toMatchObject({ status: 422, body: { errors: { [name]: expect.any(Array) } } });
  }
});

test('an unknown announcement is not found', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, routes(t.db));
  const staff = await app.browserOf(await insertUser(t.db, 'staff', { isStaff: true }));
  await listShown(staff);

  for (const [method, sent] of [['PATCH', { ...body, revision: 1 }] as const, ['DELETE', undefined] as const]) {
    const reply = await staff.call(method, `${manage}999/`, sent);
    expect(reply).toMatchObject({ status: 404, body: { code: 'announcement.not-found' } });
  }
});

test('of two changes to one revision one succeeds, and the other is refused as outdated', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, routes(t.db));
  const staff = await app.browserOf(await insertUser(t.db, 'staff', { isStaff: true }));
  const other = await app.browserOf(await insertUser(t.db, 'other', { isStaff: true }));
  const { id, revision } = await write(staff, {});
  await listShown(other);
  const change = async (browser: TestBrowser, detail: string, seen: number) =>
    await browser.call('PATCH', `${manage}${id}/`, { ...body, detail, revision: seen });

  const replies = await Promise.all([change(staff, '甲', revision), change(other, '乙', revision)]);

  const [accepted, refused] = replies.toSorted((a, b) => a.status - b.status);
  expect(accepted).toMatchObject({ status: 200, body: { revision: revision + 1 } });
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'announcement.changed', detail: '这条公告刚刚被修改过' },
  });
  expect(accepted?.body).toMatchObject({ detail: (await listShown(other))[0]?.detail });
  expect(await change(other, '丙', revision + 2)).toMatchObject({ status: 409 });
  expect(await change(other, '丁', revision + 1)).toMatchObject({ status: 200, body: { detail: '丁' } });
});

test('a change must name the revision it was made to', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, routes(t.db));
  const staff = await app.browserOf(await insertUser(t.db, 'staff', { isStaff: true }));
  const { id } = await write(staff, {});

  for (const revision of [undefined, null, 0, '1', 1.5]) {
    const reply = await staff.call('PATCH', `${manage}${id}/`, { ...body, revision });
    expect(reply).toMatchObject({ status: 422, body: { errors: { revision: expect.any(Array) } } });
  }
});

test('publication does not raise the revision', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, routes(t.db));
  const staff = await app.browserOf(await insertUser(t.db, 'staff', { isStaff: true }));
  const { id, revision } = await write(staff, { starts_at: fromNow(60) });
  await t.db.updateTable('announcement').set({ startsAt: new Date() }).execute();
  await publishDue(t.db);

  const reply = await staff.call('PATCH', `${manage}${id}/`, { ...body, revision });

  expect(reply.status).toBe(200);
});
