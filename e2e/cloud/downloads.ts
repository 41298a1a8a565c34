import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CloudApp, type Device } from '@tongtu/contract';
import { type Aria2, startAria2 } from '@tongtu/gateway/testing/aria2';
import { type FileService, startFileService } from '@tongtu/gateway/testing/file-service';
import { makeTorrent } from '@tongtu/gateway/testing/make-torrent';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buttonName, clickForMessage, openAnew, watchErrors } from '../support/browser/browser.ts';
import { openFlow } from '../support/flow.ts';
import type { ApiClient } from '../support/clients/api-client.ts';
import type { Product } from '../support/product/product.ts';
import { seriousBarriers } from '../support/screens/accessibility.ts';
import { horizontalOverflow, untranslatedText } from '../support/screens/page-quality.ts';
import { screenSizes } from '../support/screens/screen-sizes.ts';
import { saveScreenshots, type Stage } from './stage.ts';

const content = randomBytes(2_500_000);
const appName = '客厅的下载机';

export function testDownloads(stage: () => Stage): void {
  let product: Product;
  let folder: string;
  let aria2: Aria2;
  let service: FileService;
  let client: ApiClient;
  let device: Device;
  let page: Page;
  let errors: string[];

  beforeAll(async () => {
    ({ product, client, device, page } = stage());
    folder = await mkdtemp(path.join(tmpdir(), 'tongtu-aria2-'));
    [aria2, service] = await Promise.all([
      startAria2(folder),
      startFileService({ '电影.mkv': content }, { heldAfterBytes: 1_500_000 }),
    ]);
    errors = watchErrors(page);
  });

  afterAll(async () => {
    await Promise.all([aria2, service].map((part) => part?.[Symbol.asyncDispose]()));
    await rm(folder, { recursive: true, force: true });
  });

  const startStep = openFlow();
  beforeEach(async ({ task, skip }) => {
    const { isSecondTry } = startStep({ task, skip });
    if (isSecondTry) await page.reload(); // closes dialogs that the first try left open
  });

  const dialog = () => page.getByRole('dialog');
  const row = (name: string): Locator =>
    page
      .getByRole('list', { name: '下载列表' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name, exact: true }) });
  const press = async (name: string) => await page.getByRole('button', { name, exact: true }).click();

  const screenshots = async (name: string) => await saveScreenshots(stage(), `aria2-${name}`);

  async function expectGoodPage(): Promise<void> {
    await expect.poll(() => seriousBarriers(page)).toEqual([]);
    expect(await untranslatedText(page)).toEqual([]);
    await page.setViewportSize(screenSizes.phone.viewport);
    expect(await horizontalOverflow(page)).toEqual([]);
    await page.setViewportSize(screenSizes.desktop.viewport);
  }

  async function idOfApp(): Promise<number> {
    const apps = CloudApp.array().parse((await client.call('GET', '/api/user/cloud_apps/')).json);
    return apps.find(({ name }) => name === appName)?.id ?? 0;
  }

  test('an app is added by the form, and its page is empty at first', async () => {
    await openAnew(page, product.consoleUrl);
    await page.waitForURL(/#\/devices$/);
    const card = page.getByRole('article', { name: device.name });
    await card.getByRole('tab', { name: /^远程应用/ }).click();
    await card.getByRole('button', { name: '添加远程应用' }).click();
    await dialog().getByRole('radio', { name: 'Aria2 下载' }).click();
    await dialog().getByLabel('名称').fill(appName);
    await dialog().getByLabel('主机').fill('127.0.0.1');
    await dialog().getByLabel('端口').fill(String(aria2.port));
    await dialog().getByLabel('RPC 密钥', { exact: true }).fill(aria2.secret);
    await screenshots('form');
    await dialog()
      .getByRole('button', { name: buttonName('添加') })
      .click();
    await dialog().waitFor({ state: 'detached' });
    await page.goto(`${product.consoleUrl}/#/apps/${await idOfApp()}`);
    await page.getByText('还没有下载').waitFor();
    await screenshots('empty');
  });

  test('a link is downloaded: its progress is seen, it is paused, resumed and complete with the same bytes', async () => {
    await page.getByRole('toolbar').getByRole('button', { name: '添加下载' }).click();
    await dialog()
      .getByLabel('下载链接')
      .fill(`不是链接\n${service.url('电影.mkv')}`);
    await dialog().getByRole('button', { name: '开始下载' }).click();
    await dialog().getByText('第 1 行不是可以下载的链接').waitFor();
    await screenshots('add');
    await dialog()
      .getByLabel('下载链接')
      .fill(`${service.url('电影.mkv')}\n${service.url('没有')}`);
    await dialog().getByLabel('文件夹', { exact: true }).fill('电视剧/第一季');
    await dialog().getByLabel('下载限速', { exact: true }).fill('1.5');
    await dialog().getByRole('button', { name: '开始下载' }).click();
    await dialog().waitFor({ state: 'detached' });

    const film = row('电影.mkv');
    const progress = film.getByRole('progressbar');
    await expect.poll(async () => Number(await progress.getAttribute('aria-valuenow'))).toBeGreaterThan(0);
    await row('没有').getByText('找不到这个文件（404）').waitFor();
    await screenshots('running');
    await expectGoodPage();
    await press('暂停 电影.mkv');
    await film.getByText('已暂停').waitFor();
    expect(Number(await progress.getAttribute('aria-valuenow'))).toBeLessThan(100);

    await press('电影.mkv');
    await dialog().getByText(path.join(aria2.downloads, '电视剧/第一季'), { exact: true }).waitFor();
    await dialog().getByLabel('下载限速', { exact: true }).fill('');
    await screenshots('details');
    await clickForMessage(dialog().getByRole('button', { name: buttonName('保存') }), '已保存');
    await dialog()
      .getByRole('button', { name: buttonName('关闭') })
      .last()
      .click();
    service.release();
    await press('继续 电影.mkv');
    await film.getByText('已完成').waitFor();
    expect((await readFile(path.join(aria2.downloads, '电视剧/第一季/电影.mkv'))).equals(content)).toBe(true);
    await press('清除记录 没有');
    await expect.poll(() => row('没有').count()).toBe(0);
  });

  test('a torrent is added by its file, its files are chosen, and it is removed after a question', async () => {
    const torrent = makeTorrent('假期', {
      '一.txt': content.subarray(0, 40_000),
      '二.txt': content.subarray(0, 90_000),
    });
    await page.getByRole('toolbar').getByRole('button', { name: '添加下载' }).click();
    await dialog().getByRole('radio', { name: '种子文件' }).click();
    const file = { name: '假期.torrent', mimeType: 'application/x-bittorrent', buffer: torrent };
    await dialog().locator('input[type=file]').setInputFiles(file);
    await dialog().getByRole('button', { name: '开始下载' }).click();
    await dialog().waitFor({ state: 'detached' });
    await press('假期');
    await dialog().getByRole('checkbox', { name: '假期/一.txt' }).uncheck();
    await screenshots('torrent');
    await expectGoodPage();
    await clickForMessage(dialog().getByRole('button', { name: '保存选择' }), '已保存');
    await dialog().getByRole('button', { name: '保存选择' }).waitFor({ state: 'detached' });
    expect(await dialog().getByRole('checkbox', { name: '假期/一.txt' }).isChecked()).toBe(false);
    await dialog()
      .getByRole('button', { name: buttonName('关闭') })
      .last()
      .click();
    await page.getByRole('textbox', { name: '按名称筛选' }).fill('假');
    await expect.poll(() => row('电影.mkv').count()).toBe(0);
    await page.getByRole('textbox', { name: '按名称筛选' }).fill('');
    await press('移除 假期');
    await screenshots('remove');
    await dialog()
      .getByRole('button', { name: buttonName('移除') })
      .click();
    await expect.poll(() => row('假期').count()).toBe(0);
  });

  test('the speed of all downloads is limited', async () => {
    await press('限速');
    await dialog().getByLabel('上传限速', { exact: true }).fill('2');
    await screenshots('limits');
    await dialog()
      .getByRole('button', { name: buttonName('保存') })
      .click();
    await dialog().waitFor({ state: 'detached' });
    await press('限速');
    await expect.poll(() => dialog().getByLabel('上传限速', { exact: true }).inputValue()).toBe('2');
    await page.keyboard.press('Escape');
    expect(errors).toEqual([]);
  });

  test('an aria2 that stops is reported in place, and a wrong secret is asked for again', async () => {
    await client.call('PATCH', `/api/user/cloud_apps/${await idOfApp()}/`, { secrets: { password: 'falsch' } });
    await page.getByText('远程应用的设置已更改，请重新打开').waitFor();
    await page.getByRole('button', { name: '重新连接' }).click();
    await page.getByText('RPC 密钥不正确，请重新输入。').waitFor();
    await screenshots('secret');
    await page.getByLabel('RPC 密钥').fill(aria2.secret);
    await page.getByRole('button', { name: buttonName('登录') }).click();
    await row('电影.mkv').waitFor();
    await page.getByRole('region', { name: '登录目标' }).waitFor({ state: 'detached' });
    await page.getByText('正在连接目标…').waitFor({ state: 'detached' });
    await aria2[Symbol.asyncDispose]();
    await page.getByText(/^暂时读不到 aria2 的状态，正在重试：/).waitFor();
    await row('电影.mkv').waitFor();
    await screenshots('lost');
  });
}
