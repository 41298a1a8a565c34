import type { Mapping } from '@tongtu/contract';
import { addOldRecords, backdateDeletion } from '@tongtu/server/testing/installation';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { ApiClient } from './support/clients/api-client.ts';
import { saveLogOnFailure } from './support/artefacts.ts';
import {
  buttonName,
  clickForMessage,
  freshProfile,
  savePageOnFailure,
  launchBrowser,
  loggedInProfile,
} from './support/browser/browser.ts';
import { LAN_HEADING, startLanPage, type LanPage } from './support/services/lan-page.ts';
import { inDatabase } from './support/product/database.ts';
import { horizontalOverflow } from './support/screens/page-quality.ts';
import { startProduct, type Product } from './support/product/product.ts';
import { screenSizes } from './support/screens/screen-sizes.ts';

let product: Product;
let browser: Browser;
let page: Page;
let guest: Page;
let lan: LanPage;
let client: ApiClient;
let deviceName: string;
let album: Mapping;
let camera: Mapping;

beforeAll(async () => {
  [product, browser, lan] = await Promise.all([startProduct(), launchBrowser(), startLanPage()]);
  guest = await (await freshProfile(browser)).newPage();
  client = new ApiClient(product);
  const { id } = await client.logIn();
  await client.call('PATCH', `/api/profile/${id}/`, { readed_announcement_id: 1000 });
  const { device } = await client.waitForWelcomeDevice();
  deviceName = device.name;
  const to = { router: device.id, kind: 'http', target: lan.target } as const;
  album = await client.createMapping({ ...to, prefix: 'album' });
  camera = await client.createMapping({ ...to, prefix: 'camera' });
  page = await (await loggedInProfile(browser, client, screenSizes.desktop)).newPage();
  await page.goto(product.consoleUrl);
});

afterAll(async () => {
  await browser?.close();
  await Promise.all([lan, product].map((part) => part?.[Symbol.asyncDispose]()));
});

/** Lets a visitor in by a share link with this name, in a browser without cookies. */
async function visitAs(name: string, { id, domain }: Mapping): Promise<void> {
  const reply = await client.call('POST', `/api/user/records/${id}/shares/`, { label: name, valid_hours: 1 });
  await guest.context().clearCookies();
  await guest.goto((reply.json as { url: string }).url);
  await guest.getByRole('heading', { name: LAN_HEADING }).waitFor();
  expect(new URL(guest.url()).hostname).toBe(domain);
}

/** A phone shows cards in place of a table. */
async function asOnPhone(): Promise<void> {
  onTestFinished(async () => await page.setViewportSize(screenSizes.desktop.viewport));
  await page.setViewportSize(screenSizes.phone.viewport);
}

beforeEach(({ task }) => {
  const name = `records-${task.name.slice(0, 30).replaceAll(' ', '-')}`;
  saveLogOnFailure(name, product.child);
  savePageOnFailure(name, () => page);
});

const records = () => page.getByRole('region', { name: '验证记录' });
/** A row of the table, or a card. */
const record = (name: string): Locator => page.locator(`[data-state][aria-label^="${name}"]`);
const names = () =>
  page.locator('[data-state][aria-label]').evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label')));

const field = () =>
  page
    .locator('.ant-select')
    .filter({ has: page.getByRole('combobox', { name: '按域名映射筛选' }) })
    .locator('[title]');

async function chooseIn(label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.locator('.ant-select-item-option').filter({ hasText: option }).click();
}

test('a new verification is shown at once, with device, address and grounds', async () => {
  await page.getByRole('link', { name: '验证记录', exact: true }).click();
  await page.waitForURL(/#\/record$/);
  await expect.poll(() => page.title()).toBe('通途 - 验证记录');
  await visitAs('客人', album);
  const row = record('客人');
  await row.waitFor();
  for (const words of ['album.localhost', deviceName, '分享链接', '有效'])
    await row.getByText(words, { exact: true }).waitFor();
  expect((await names())[0]).toContain('客人');
});

test('what is chosen stands in the address and can be cleared', async () => {
  await visitAs('摄像头', camera);
  await page.goto(`${product.consoleUrl}/#/record`);
  await chooseIn('按域名映射筛选', 'camera.localhost');
  await expect.poll(names).toEqual([expect.stringContaining('摄像头')]);
  expect(page.url()).toContain(`mapping=${camera.id}`);
  await page.getByRole('textbox', { name: '搜索 IP、域名或名称' }).fill('客人');
  await page.waitForURL((url) => url.hash.includes('&q='));
  await page.getByText('没有符合条件的记录').waitFor();
  await page.getByRole('button', { name: '清除条件' }).click();
  await record('客人').waitFor();
  await page.waitForURL(/#\/record$/);
});

test('on a phone a record is made to last longer, and then ended', async () => {
  await asOnPhone();
  await page.goto(`${product.consoleUrl}/#/record?q=${encodeURIComponent('客人')}`);
  const row = record('客人');
  await row.getByRole('button', { name: /^延长/ }).click();
  await clickForMessage(page.getByRole('menuitem', { name: '从现在起 7 天' }), /^有效期至 /);
  await row.getByRole('button', { name: /^撤销/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/如果分享链接还有效/).waitFor();
  await dialog.getByRole('button', { name: buttonName('撤销') }).click();
  await row.getByText('已撤销', { exact: true }).waitFor();
  expect(await row.getByRole('button', { name: /^(延长|撤销)/ }).count()).toBe(0);
});

test('on a phone an address that was deleted twice is listed twice, below a heading, with what distinguishes the two', async () => {
  await asOnPhone();
  const prefix = 'twice';
  for (const name of ['早', '晚']) {
    const mapping = await client.createMapping({ router: album.router, kind: 'http', target: lan.target, prefix });
    await visitAs(name, mapping);
    await client.call('DELETE', `/api/user/records/${mapping.id}/`);
    // Otherwise both could have been deleted within the same second.
    await inDatabase(product, async (db) => await backdateDeletion(db, mapping.domain));
  }
  await page.getByRole('link', { name: '验证', exact: true }).click();
  await page.waitForURL(/#\/record$/);
  await page.getByRole('combobox', { name: '按域名映射筛选' }).click();
  const options = page.locator('.ant-select-item-option').filter({ hasText: 'twice.localhost（删除于 ' });
  await expect.poll(() => options.count()).toBe(2);
  await page.locator('.ant-select-item-group').getByText('已删除', { exact: true }).waitFor();
  expect(new Set(await options.allTextContents()).size).toBe(2);
  const isCutOff = (element: HTMLElement) => element.scrollWidth > element.clientWidth;
  for (const option of await options.locator('.ant-select-item-option-content').all())
    expect(await option.evaluate(isCutOff)).toBe(false);
  expect(await horizontalOverflow(page)).toEqual([]);
  await options.last().click();
  await expect.poll(names).toEqual([expect.stringContaining('早')]);
  await field()
    .getByText(/^\d.* 删除：twice\./)
    .waitFor();
});

test('old records are paged', async () => {
  await inDatabase(product, async (db) => await addOldRecords(db, { mappingId: album.id, count: 30 }));
  await page.goto(`${product.consoleUrl}/#/record?by=password`);
  await records().waitFor();
  await expect.poll(async () => (await names()).length).toBe(20);
  expect(await record('198.51.100.30').first().getByText('已过期').count()).toBe(1);
  await page.getByRole('listitem', { name: '2', exact: true }).click();
  await page.waitForURL(/page=2/);
  await expect.poll(async () => (await names()).length).toBeGreaterThan(0);
  await page.goBack();
  await expect.poll(async () => (await names())[0]).toBe('198.51.100.30');
});
