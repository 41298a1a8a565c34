import { createHash } from 'node:crypto';
import type { ManagedSiteEntry } from '@tongtu/contract';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { openTestApp, type TestApp, type TestBrowser } from '../../testing/apps/open-test-app.ts';
import { registerSiteEntryRoutes } from './index.ts';

const manage = '/api/manage/site_entries/';
const body = {
  ...{ kind: 'banner', title: '新版本', detail: '', url: 'https://example.com/', qr_text: '', position: 0 },
  ...{ display: true, starts_at: null, ends_at: null },
};
const fromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const png = Buffer.from('89504e470d0a1a0a00000000', 'hex');

async function openApp(db: Db): Promise<TestApp> {
  return await openTestApp(db, (app) => registerSiteEntryRoutes(app, { db }));
}

async function browserOf(db: Db, app: TestApp, user: { username: string; isStaff?: boolean; isPromoter?: boolean }) {
  const { id } = await db.insertInto('userAccount').values(user).returning('id').executeTakeFirstOrThrow();
  return await app.browserOf(id);
}

async function add(staff: TestBrowser, fields: object): Promise<ManagedSiteEntry> {
  const reply = await staff.call('POST', manage, { ...body, ...fields });
  expect(reply.status).toBe(201);
  return reply.body as ManagedSiteEntry;
}

async function titlesOf(browser: TestBrowser, path: string): Promise<string[]> {
  return ((await browser.call('GET', path)).body as { title: string }[]).map(({ title }) => title);
}

test('users see what is shown now, by kind and in its order', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db);
  const staff = await browserOf(t.db, app, { username: 'staff', isStaff: true });
  const user = await browserOf(t.db, app, { username: 'user' });
  await add(staff, { title: '第二', position: 2 });
  const first = await add(staff, { title: '第一', position: 1, starts_at: fromNow(-60), ends_at: fromNow(60) });
  await add(staff, { title: '未到', starts_at: fromNow(60) });
  await add(staff, { title: '已过', ends_at: fromNow(-60) });
  await add(staff, { title: '隐藏', display: false });
  await add(staff, { kind: 'community', title: '微信群', url: '', qr_text: 'https://weixin.qq.com/g/x' });

  expect(await titlesOf(user, '/api/site/promoters/')).toEqual(['第一', '第二']);
  expect(await titlesOf(user, '/api/site/community/')).toEqual(['微信群']);
  expect(await titlesOf(staff, manage)).toHaveLength(6);
  const [shown] = (await user.call('GET', '/api/site/promoters/')).body as object[];
  expect(shown).toEqual({ id: first.id, title: '第一', image: '', url: 'https://example.com/', revision: 1 });
});

test('an image is served with the type of its bytes, sandboxed, until it is removed', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db);
  const staff = await browserOf(t.db, app, { username: 'staff', isStaff: true });
  const entry = await add(staff, { image_base64: png.toString('base64') });
  expect(entry.image).toBe(`/api/site/images/${createHash('sha256').update(png).digest('hex')}`);

  const reply = await app.browser().call('GET', entry.image);
  expect(reply.status).toBe(200);
  expect(reply.headers).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  const { kind: _kind, ...fields } = body;
  const kept = await staff.call('PATCH', `${manage}${entry.id}/`, { ...fields, title: '改', revision: 1 });
  expect(kept.body).toMatchObject({ title: '改', image: entry.image, revision: 2 });
  const removed = await staff.call('PATCH', `${manage}${entry.id}/`, { ...fields, image_base64: null, revision: 2 });
  expect(removed.body).toMatchObject({ image: '' });
  expect((await app.browser().call('GET', entry.image)).status).toBe(404);
});

const refused: [string, object, number][] = [
  ['an SVG', { image_base64: Buffer.from('<svg onload="alert(1)"/>').toString('base64') }, 400],
  ['more than 300 KB', { image_base64: Buffer.concat([png, Buffer.alloc(307_200)]).toString('base64') }, 422],
  ['an image that is no base64', { image_base64: '<svg>' }, 422],
  ['a script as address', { url: 'javascript:alert(1)' }, 422],
  ['a hidden user name', { url: 'https:///bank.example@evil.example' }, 422],
  ['a hidden character', { url: 'https://evil.example/\u202Egpj.exe' }, 422],
  ['an address relative to the console', { url: '//example.com/' }, 422],
  ['a user name that hides the host', { url: 'https://bank.example@evil.example/' }, 422],
  ['no title', { title: ' ' }, 422],
  ['an end before the start', { starts_at: fromNow(60), ends_at: fromNow(0) }, 422],
];

test('bad images, addresses and times are refused', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db);
  const staff = await browserOf(t.db, app, { username: 'staff', isStaff: true });
  for (const [what, fields, status] of refused) {
    expect((await staff.call('POST', manage, { ...body, ...fields })).status, what).toBe(status);
  }
});

test('a change names the revision it was made to, and each action is in the audit log', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db);
  const staff = await browserOf(t.db, app, { username: 'staff', isStaff: true });
  const { id } = await add(staff, {});
  const { kind: _kind, ...fields } = body;
  const change = async () => await staff.call('PATCH', `${manage}${id}/`, { ...fields, title: '改', revision: 1 });

  expect((await change()).status).toBe(200);
  expect(await change()).toMatchObject({ status: 409, body: { code: 'site-entry.changed' } });
  expect((await staff.call('DELETE', `${manage}${id}/`)).status).toBe(200);
  expect(await staff.call('DELETE', `${manage}${id}/`)).toMatchObject({ body: { code: 'site-entry.not-found' } });
  const entries = await t.db.selectFrom('auditEntry').select(['action', 'objectName']).orderBy('id').execute();
  expect(entries).toEqual([
    { action: 'banner.created', objectName: '新版本' },
    { action: 'banner.changed', objectName: '改' },
    { action: 'banner.deleted', objectName: '改' },
  ]);
});

test('only staff manage, and only users read', async () => {
  await using t = await openTestDb();
  await using app = await openApp(t.db);
  const promoter = await browserOf(t.db, app, { username: 'promoter', isPromoter: true });
  const forbidden = { status: 403, body: { code: 'session.forbidden' } };
  expect(await promoter.call('GET', manage)).toMatchObject(forbidden);
  expect(await promoter.call('POST', manage, body)).toMatchObject(forbidden);
  expect(await promoter.call('DELETE', `${manage}1/`)).toMatchObject(forbidden);
  for (const path of ['/api/site/promoters/', '/api/site/community/', manage]) {
    expect((await app.browser().call('GET', path)).status).toBe(401);
  }
});
