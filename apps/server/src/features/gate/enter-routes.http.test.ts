import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ShareLink } from '@tongtu/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { openGateApp } from '../../testing/apps/open-gate-app.ts';
import type { TestBrowser } from '../../testing/apps/open-test-app.ts';
import { insertMapping, insertUser } from '../../testing/device-fixtures.ts';

type Gate = Awaited<ReturnType<typeof openGateApp>>;

/** What a browser sends when a relay has redirected a visitor of another host to the console. */
const navigation = {
  ...{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  ...{ origin: undefined, 'x-csrftoken': undefined, accept: 'text/html' },
};
const nas = 'http://nas.localhost:8080/photos?year=2026';

async function visit(browser: TestBrowser, path: string, headers: Record<string, string | undefined> = {}) {
  const { status, headers: fields, text } = await browser.call('GET', path, undefined, { ...navigation, ...headers });
  const checkPage = /href="(\/#\/check\?[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  return { status, location: fields['location'] as string | undefined, fields, text, checkPage };
}

const enter = (browser: TestBrowser, url: string, headers: Record<string, string | undefined> = {}) =>
  visit(browser, `/custom/enter?url=${encodeURIComponent(url)}`, headers);

async function ticketCount({ db }: { db: Awaited<ReturnType<typeof openTestDb>>['db'] }): Promise<number> {
  return (await db.selectFrom('gateTicket').select('host').execute()).length;
}

async function share({ owner, mappingId }: Gate, body: object = {}): Promise<ShareLink> {
  const path = `/api/user/records/${mappingId}/shares/`;
  return (await owner.call('POST', path, { valid_hours: 24, label: '', ...body })).body as ShareLink;
}

test('the owner is redirected to the mapping with a ticket, which leaves no traces', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);

  const { status, location = '', fields } = await enter(gate.owner, nas);

  expect(status).toBe(302);
  const target = new URL(location);
  expect(target.origin + target.pathname).toBe('http://nas.localhost:8080/.tongtu/verify');
  expect(target.searchParams.get('next')).toBe('/photos?year=2026');
  // The browser adds the fragment of the address that the visitor wanted.
  expect(target.hash).toBe('');
  expect(fields).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  await gate.redeem(target.searchParams.get('ticket') ?? '');
  expect(await gate.records()).toMatchObject([{ granted_by: 'owner' }]);
});

test('the console works without Sec-Fetch fields, as over plain http', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const silent = { 'sec-fetch-site': undefined, 'sec-fetch-mode': undefined, 'sec-fetch-dest': undefined };
  expect((await enter(gate.owner, nas, silent)).status).toBe(302);
});

test('without a session, or with an account that may not pass, the check page opens with the address', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const other = await gate.app.browserOf(await insertUser(t.db, 'zhao'));

  for (const browser of [gate.app.browser(), other]) {
    const reply = await enter(browser, `${nas}&quote="'<b>`);
    expect([reply.status, reply.location]).toEqual([200, undefined]);
    const query = new URLSearchParams(reply.checkPage?.split('?')[1]);
    expect(query.get('url')).toBe(`${nas}&quote="'<b>`);
    expect(reply.text).not.toContain('<b>');
    expect(reply.fields['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(reply.fields).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  }
  expect(await ticketCount(t)).toBe(0);
});

test.each([
  ['another site', 'https://evil.example/'],
  ["another site that looks like the mapping's", 'http://nas.localhost.evil.example:8080/'],
  ['a call of the console', 'http://localhost:8080/custom/logout'],
  ['the console itself', 'http://localhost:8080/'],
  ['another port', 'http://nas.localhost:9999/'],
  ['a script', 'javascript:alert(1)'],
  ['another scheme', '//nas.localhost:8080/'],
  ['a name that does not exist', 'http://none.localhost:8080/'],
  ['nothing', ''],
  ['an address that is too long', `http://nas.localhost:8080/${'x'.repeat(5000)}`],
])('nobody is redirected to %s', async (_name, url) => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const reply = await enter(gate.owner, url);
  expect([reply.status, reply.location]).toEqual([200, undefined]);
  expect(reply.checkPage).toMatch(/^\/#\/check\?url=/);
});

test.each([
  ['a frame', { 'sec-fetch-dest': 'iframe' }],
  ['an image', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
  ['a script', { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty', origin: 'http://cam.localhost' }],
  ['a prefetch', { 'sec-purpose': 'prefetch' }],
  ['a prerender', { 'sec-purpose': 'prefetch;prerender' }],
])('%s of another site is refused, and no ticket is issued', async (_name, headers) => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { url } = await share(gate);
  for (const path of [`/custom/enter?url=${encodeURIComponent(nas)}`, new URL(url).pathname])
    expect((await visit(gate.owner, path, headers)).status).toBe(403);
  // From a page of the console itself it is no visit either.
  const own = await enter(gate.owner, nas, { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' });
  expect([own.status, own.location]).toEqual([200, undefined]);
  expect(await ticketCount(t)).toBe(0);
});

test('a public mapping, and one whose device is offline, open by the check page', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  await t.db.updateTable('mapping').set({ policy: 'public' }).execute();
  expect((await enter(gate.owner, nas)).location).toBeUndefined();
  await t.db.updateTable('mapping').set({ policy: 'owner' }).execute();
  await t.db.deleteFrom('devicePresence').execute();
  expect((await enter(gate.owner, nas)).location).toBeUndefined();
});

test('a browser that keeps returning gets the check page, which explains that its cookies are blocked', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const statuses: number[] = [];
  for (let round = 0; round < 5; round++) statuses.push((await enter(gate.owner, nas)).status);
  expect(statuses).toEqual([302, 302, 302, 200, 200]);
  expect(await ticketCount(t)).toBe(3);
  // Another mapping, and another login of the same account, are not affected.
  await insertMapping(t.db, { ...gate, prefix: 'cam' });
  expect((await enter(gate.owner, 'http://cam.localhost:8080/')).status).toBe(302);
  expect((await enter(await gate.app.browserOf(gate.userId), nas)).status).toBe(302);
});

test('beyond the limit of a network people get the check page, and programs an error', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  for (const path of [`/custom/enter?url=${encodeURIComponent(nas)}`, '/s/nothing']) {
    for (let calls = 0; calls < 120; calls++) await visit(gate.app.browser(), path);
    expect((await visit(gate.owner, path, { accept: '*/*' })).status).toBe(429);
    const { location, fields } = await visit(gate.owner, path);
    expect([location, fields['content-type']]).toEqual([undefined, 'text/html; charset=utf-8']);
  }
});

test('a share link is short, and redirects a browser without an account', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { url } = await share(gate, { max_uses: 1 });
  expect(url).toMatch(/^http:\/\/localhost:8080\/s\/[\w-]{22}$/);
  const path = new URL(url).pathname;

  const { status, location = '', fields } = await visit(gate.app.browser(), path);
  expect(status).toBe(302);
  expect(fields).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  expect(location).not.toContain(path.slice(3));
  await gate.redeem(new URL(location).searchParams.get('ticket') ?? '');
  expect(await gate.records()).toMatchObject([{ granted_by: 'share' }]);

  const usedUp = await visit(gate.app.browser(), path);
  const query = new URLSearchParams(usedUp.checkPage?.split('?')[1]);
  expect([query.get('share'), query.get('url')]).toEqual([path.slice(3), 'http://nas.localhost:8080/']);
});

test('a program that previews a link uses none of its uses', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const path = new URL((await share(gate)).url).pathname;
  const silent = { 'sec-fetch-site': undefined, 'sec-fetch-mode': undefined, 'sec-fetch-dest': undefined };
  const reply = await visit(gate.app.browser(), path, silent);
  expect([reply.status, reply.location]).toEqual([200, undefined]);
  expect(reply.checkPage).toContain('share=');
  expect(await ticketCount(t)).toBe(0);
});

test('an unknown link, and one whose mapping was deleted, say so', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const path = new URL((await share(gate)).url).pathname;
  await gate.owner.call('DELETE', `/api/user/records/${gate.mappingId}/`);
  for (const unknown of [path, `/s/${'x'.repeat(22)}`, '/s/short', '/s/%22%3E']) {
    const { status, text } = await visit(gate.app.browser(), unknown);
    expect([status, text]).toEqual([404, expect.stringContaining('分享链接无效')]);
  }
});

test('the page about a dead link has the console’s colours, which its policy allows', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const { text, fields } = await visit(gate.app.browser(), '/s/short');
  const style = /<style>([^]*)<\/style>/.exec(text)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  expect(fields['content-security-policy']).toContain(`'sha256-${hash}'`);
  const theme = await readFile(new URL('../../../../web/src/ui/theme/theme.css', import.meta.url), 'utf8');
  const primary = [...theme.matchAll(/--ant-color-primary: (#\w+)/g)].map(([, colour]) => colour);
  const main = [...style.matchAll(/--main:(#\w+)/g)].map(([, colour]) => colour);
  expect(main).toEqual([...new Set(primary)]);
});

test('the owner uses up no share link, and revoking one ends it', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const link = await share(gate, { max_uses: 1 });
  const path = new URL(link.url).pathname;
  const { location = '' } = await visit(gate.owner, path);
  await gate.redeem(new URL(location).searchParams.get('ticket') ?? '');
  expect(await gate.records()).toMatchObject([{ granted_by: 'owner' }]);
  await gate.owner.call('DELETE', `/api/user/shares/${link.id}/`);
  expect((await visit(gate.app.browser(), path)).location).toBeUndefined();
});

test.each([
  ['was revoked', { revokedAt: sql<Date>`now()` }],
  ['has expired', { expiresAt: sql<Date>`now()` }],
])('a link that %s does not say which address the mapping has now', async (_name, change) => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const path = new URL((await share(gate)).url).pathname;
  await t.db.updateTable('mapping').set({ prefix: 'moved' }).execute();
  expect((await visit(gate.app.browser(), path)).location).toContain('moved');
  await t.db.updateTable('shareLink').set(change).execute();

  const silent = { 'sec-fetch-site': undefined, 'sec-fetch-mode': undefined, 'sec-fetch-dest': undefined };
  for (const [browser, headers] of [
    [gate.app.browser(), {}],
    [gate.app.browser(), silent],
    [gate.owner, {}],
  ] as const) {
    const reply = await visit(browser, path, headers);
    expect([reply.status, reply.location, reply.checkPage]).toEqual([410, undefined, undefined]);
    expect(reply.text).toContain('链接已失效');
    expect(reply.text).not.toMatch(/moved|nas|:\/\//);
  }
});
