import type { Browser, BrowserContextOptions, Locator, Page, ViewportSize } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test, type TestContext } from 'vitest';
import { must } from '@tongtu/base';
import { type Announcement, ManagedAnnouncement, pageOf } from '@tongtu/contract';
import { beginAnnouncement, ignoreAnnouncements, readAllAnnouncements } from '@tongtu/server/testing/installation';
import { ApiClient } from '../support/clients/api-client.ts';
import {
  buttonName,
  closeAnnouncements,
  savePageOnFailure,
  loggedInProfile,
  openAnew,
} from '../support/browser/browser.ts';
import { inDatabase } from '../support/product/database.ts';
import { horizontalOverflow, isFocusInDialog, untranslatedText } from '../support/screens/page-quality.ts';
import { createPerson } from '../support/person.ts';
import type { Product } from '../support/product/product.ts';
import { screenSizes } from '../support/screens/screen-sizes.ts';
import { openFlow } from '../support/flow.ts';
import type { Stage } from './stage.ts';

// A flow in order: each test begins where the one before it ended.

const account = 'hanmeimei';

/** A different title on a second try, because the announcement of the first one still exists. */
function titleOf(text: string, task: TestContext['task']): string {
  return `${text}（${(task.result?.retryCount ?? 0) + 1}）`;
}

/** The announcement in the list of staff or in the public list. */
const item = (page: Page, title: string): Locator => page.getByRole('listitem').filter({ hasText: title });
const popup = (page: Page): Locator => page.getByRole('dialog', { name: '公告', exact: true });
const calendar = (page: Page): Locator => page.locator('.ant-picker-dropdown:visible');

/** The distance to the nearest edge of the screen; negative when the element is cut off. */
async function spaceAround(element: Locator, { width, height }: ViewportSize): Promise<number> {
  const box = must(await element.boundingBox(), 'the element');
  return Math.min(box.x, box.y, width - box.x - box.width, height - box.y - box.height);
}

async function showManager(page: Page): Promise<void> {
  await page.getByRole('main').getByText('管理', { exact: true }).click();
  await page.getByRole('button', { name: '新建公告' }).waitFor();
}

async function openEditor(page: Page, title?: string): Promise<Locator> {
  if (title === undefined) await page.getByRole('button', { name: '新建公告' }).click();
  else await item(page, title).getByRole('button', { name: '编辑' }).click();
  const editor = page.getByRole('dialog', { name: title === undefined ? '新建公告' : '编辑公告' });
  await editor.waitFor();
  return editor;
}

async function save(editor: Locator, word: '发布' | '保存'): Promise<void> {
  await editor.getByRole('button', { name: buttonName(word) }).click();
  await editor.waitFor({ state: 'hidden' });
}

export function testAnnouncements(stage: () => Stage): void {
  let product: Product;
  let browser: Browser;
  /** The administrator's. */
  let client: ApiClient;
  /** The reader's, in another browser. */
  let elsewhere: ApiClient;
  let readerId: number;
  let staff: Page;
  let reader: Page;
  const pages: Page[] = [];
  /** The titles of the last try. */
  let title = '';
  let later = '';
  const startStep = openFlow();

  beforeAll(async () => {
    ({ product, browser } = stage());
    await createPerson(product, { account });
    // No dialog covers the administrator's screens.
    await inDatabase(product, async (db) => await ignoreAnnouncements(db, 'admin'));
    await readAll();
    [client, elsewhere] = [new ApiClient(product), new ApiClient(product)];
    [, { id: readerId }] = await Promise.all([client.logIn(), elsewhere.logIn(account)]);
    [staff, reader] = await Promise.all([
      open(client, '/announcements', screenSizes.desktop),
      open(elsewhere, '/devices', screenSizes.desktop),
    ]);
    await reader.getByRole('button', { name: '添加设备' }).first().waitFor();
    await showManager(staff);
  });

  afterAll(async () => {
    await Promise.all(pages.map((page) => page.context().close()));
  });

  beforeEach(async ({ task, skip }) => {
    const { isSecondTry } = startStep({ task, skip });
    const name = `announcements-${task.name.slice(0, 30).replaceAll(' ', '-')}`;
    for (const [index, page] of pages.entries()) savePageOnFailure(`${name}-${index}`, () => page);
    if (!isSecondTry) return;
    // Closes dialogs that the first try left open, and marks its announcements as read.
    await readAll();
    await Promise.all([reader.reload(), staff.reload()]);
    await showManager(staff);
  });

  async function readAll(): Promise<void> {
    await inDatabase(product, async (db) => await readAllAnnouncements(db, account));
  }

  /** The announcement in the server's list for staff. */
  async function findStored(title: string): Promise<unknown> {
    const { json } = await client.call('GET', '/api/announcement/manage/?limit=100&offset=0');
    return pageOf(ManagedAnnouncement)
      .parse(json)
      .results.find((announcement) => announcement.title === title);
  }

  /** A new browser profile with this session, at this screen. */
  async function open(session: ApiClient, hash: string, options: BrowserContextOptions): Promise<Page> {
    const context = await loggedInProfile(browser, session, options);
    const page = await context.newPage();
    pages.push(page);
    await page.goto(`${product.consoleUrl}/#${hash}`);
    return page;
  }

  test('staff sees a preview, and the announcement pops up on open pages as soon as their dialogs are closed', async ({
    task,
  }) => {
    title = titleOf('今晚维护', task);
    const editor = await openEditor(staff);
    await editor.getByRole('button', { name: buttonName('发布') }).click();
    await editor.getByText('请输入标题').waitFor();
    await editor.getByLabel('标题').fill(title);
    await editor.getByLabel('内容').fill('今晚 22:00 升级，\n约十分钟。');
    await editor.getByLabel('链接（可选）').fill('https://example.com/notes');
    await editor.getByTestId('preview').getByText(`【${title}】`).waitFor();
    expect(await popup(reader).count()).toBe(0);
    await reader.getByRole('button', { name: '添加设备' }).first().click();
    const inUse = reader.getByRole('dialog', { name: '添加设备' });
    await inUse.waitFor();
    const refetched = reader.waitForResponse((response) => response.url().endsWith('/announcement/announcements/'));
    await save(editor, '发布');
    await item(staff, title).getByText('显示中').waitFor();
    await (await refetched).finished();
    expect(await popup(reader).count()).toBe(0);
    await inUse
      .getByRole('button', { name: buttonName('关闭') })
      .last()
      .click();

    const lines = popup(reader).getByRole('listitem');
    const line = lines.filter({ hasText: `【${title}】` });
    await line.getByText('未读', { exact: true }).waitFor();
    await line.getByText(/^\d{4}-\d\d-\d\d$/).waitFor();
    // All that is shown is listed; only this one is marked.
    const { json } = await elsewhere.call('GET', '/api/announcement/announcements/');
    expect(await lines.count()).toBe((json as Announcement[]).length);
    expect(await popup(reader).getByText('未读', { exact: true }).count()).toBe(1);
    expect(await line.getByRole('link').getAttribute('href')).toBe('https://example.com/notes');
    expect(await horizontalOverflow(reader)).toEqual([]);
  });

  test('an announcement that was read elsewhere closes, does not pop up again, and is in the list', async () => {
    const { json } = await elsewhere.call('GET', '/api/announcement/announcements/');
    const readed_announcement_id = Math.max(...(json as Announcement[]).map(({ id }) => id));
    await elsewhere.call('PATCH', `/api/profile/${readerId}/`, { readed_announcement_id });
    await popup(reader).waitFor({ state: 'hidden' });
    await openAnew(reader, `${product.consoleUrl}/#/announcements`);
    await item(reader, title).getByText('约十分钟').waitFor();
    expect(await popup(reader).count()).toBe(0);
    expect(await reader.getByText('管理', { exact: true }).count()).toBe(0);
  });

  test('an edited announcement changes on open pages and stays read', async () => {
    const editor = await openEditor(staff, title);
    await editor.getByLabel('内容').fill('改到明晚');
    await save(editor, '保存');
    await item(reader, title).getByText('改到明晚').waitFor();
    expect(await popup(reader).count()).toBe(0);
  });

  // The server looks for what is due a few times a minute, for any screen, so the test waits for that once.
  test('one for later is picked from a calendar that fits the screen, and pops up when its time has come', async ({
    task,
  }) => {
    later = titleOf('元旦安排', task);
    if (await popup(reader).isVisible()) await closeAnnouncements(reader);
    await reader.goto(`${product.consoleUrl}/#/announcements`);
    const editor = await openEditor(staff);
    await editor.getByLabel('标题').fill(later);
    await editor.getByLabel('内容').fill('元旦期间照常服务');
    await editor.getByLabel('开始时间').fill('2098-12-31 18:00');
    await editor.getByLabel('开始时间').click();
    await calendar(staff).getByText('2098年').waitFor();
    expect(await spaceAround(calendar(staff), screenSizes.desktop.viewport)).toBeGreaterThanOrEqual(0);
    expect(await horizontalOverflow(staff)).toEqual([]);
    await calendar(staff).getByTitle('2099-01-01').click();
    await calendar(staff)
      .getByRole('button', { name: buttonName('确定') })
      .click();
    await calendar(staff).waitFor({ state: 'hidden' });
    expect(await editor.getByLabel('开始时间').inputValue()).toBe('2099-01-01 18:00');
    await save(editor, '发布');
    await item(staff, later).getByText('未到时间').waitFor();
    await item(staff, later).getByText('2099-01-01 18:00 起').waitFor();
    expect(await findStored(later)).toMatchObject({ starts_at: '2099-01-01T10:00:00.000Z' });
    await item(reader, title).waitFor();
    expect(await item(reader, later).count()).toBe(0);

    await inDatabase(product, async (db) => await beginAnnouncement(db, later));

    await popup(reader).getByText(`【${later}】`).waitFor();
    await closeAnnouncements(reader);
    await item(reader, later).waitFor();
    await item(staff, later).getByText('显示中').waitFor();
  });

  test('a deleted announcement disappears from open pages', async () => {
    await item(staff, title)
      .getByRole('button', { name: `删除公告“${title}”` })
      .click();
    const question = staff.getByRole('dialog', { name: `删除公告“${title}”？` });
    await question.getByRole('button', { name: buttonName('删除') }).click();
    await item(staff, title).waitFor({ state: 'detached' });
    await item(reader, title).waitFor({ state: 'detached' });
  });

  test('a browser set to English shows Chinese dates in its own time zone, and takes them from the keyboard', async ({
    task,
  }) => {
    const title = titleOf('给远方的朋友', task);
    const english = { ...screenSizes.phone, locale: 'en-US', timezoneId: 'America/New_York' };
    const page = await open(client, '/announcements', english);
    await showManager(page);
    const editor = await openEditor(page);
    const [startsAt, endsAt] = [editor.getByLabel('开始时间'), editor.getByLabel('结束时间')];
    await editor.getByLabel('标题').fill(title);
    await editor.getByLabel('内容').fill('新年快乐');

    await startsAt.fill('2099-2-27 18:00');
    await startsAt.press('ArrowDown');
    await calendar(page).getByText('2099年').waitFor();
    expect(await spaceAround(calendar(page), english.viewport)).toBeGreaterThanOrEqual(0);
    expect(await horizontalOverflow(page)).toEqual([]);
    expect(await untranslatedText(page)).toEqual([]);
    expect(await calendar(page).innerText()).toMatch(/2月.*一\s+二\s+三\s+四\s+五\s+六\s+日/s);
    await startsAt.press('ArrowDown');
    expect(await startsAt.inputValue()).toBe('2099-02-28 18:00');
    await startsAt.press('Escape');
    await calendar(page).waitFor({ state: 'hidden' });
    expect(await isFocusInDialog(page)).toBe(true);

    await endsAt.fill('2099年2月28日 18:00');
    await endsAt.press('Tab');
    await editor.getByText('结束时间须晚于开始时间').waitFor();
    await endsAt.fill('2099/3/1 8:30');
    await endsAt.press('Enter');
    await save(editor, '发布');
    await item(page, title).getByText('2099-02-28 18:00 至 2099-03-01 08:30').waitFor();
    expect(await findStored(title)).toMatchObject({
      starts_at: new Date('2099-02-28T18:00:00-05:00').toISOString(),
      ends_at: new Date('2099-03-01T08:30:00-05:00').toISOString(),
    });
  });
}
