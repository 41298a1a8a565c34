import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startSshd, type Sshd } from '@tongtu/gateway/testing/sshd';
import { CloudApp } from '@tongtu/contract';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { saveArtefact, saveLogOnFailure } from './support/artefacts.ts';
import {
  freshProfile,
  launchBrowser,
  logInThroughForm,
  savePageOnFailure,
  watchErrors,
} from './support/browser/browser.ts';
import { ApiClient } from './support/clients/api-client.ts';
import { type Product, startProduct } from './support/product/product.ts';
import { seriousBarriers } from './support/screens/accessibility.ts';
import { horizontalOverflow, untranslatedText } from './support/screens/page-quality.ts';
import { screenSizes } from './support/screens/screen-sizes.ts';

/** Saves the page in both themes and sizes. */
const savesScreenshots = process.env['SCREENSHOTS'] !== undefined;

let product: Product;
let browser: Browser;
let folder: string;
let sshd: Sshd;
let app: CloudApp;
let profile: BrowserContext;
let page: Page;
let errors: string[];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tongtu-files-'));
  [product, browser, sshd] = await Promise.all([startProduct(), launchBrowser(), startSshd(folder)]);
  await createFiles();
  const client = new ApiClient(product);
  const { id } = await client.logIn();
  await client.call('PATCH', `/api/profile/${id}/`, { readed_announcement_id: 1000 });
  const { device } = await client.waitForWelcomeDevice();
  const reply = await client.call('POST', '/api/user/cloud_apps/', {
    ...{ router: device.id, kind: 'sftp', name: '群晖的文件', host: '127.0.0.1', port: sshd.port },
    options: { username: sshd.username, path: `${folder}/nas` },
    secrets: { private_key: sshd.privateKey },
  });
  expect(reply.status, reply.text).toBe(201);
  app = CloudApp.parse(reply.json);
  profile = await freshProfile(browser, screenSizes.desktop);
  page = await profile.newPage();
  errors = watchErrors(page);
  await page.goto(product.consoleUrl);
  await logInThroughForm(page);
  await page.waitForURL(/#\/devices$/);
});

afterAll(async () => {
  await browser?.close();
  await Promise.all([sshd, product].map((part) => part?.[Symbol.asyncDispose]()));
  await rm(folder, { recursive: true, force: true });
});

beforeEach(({ task }) => {
  const name = `cloud-files-${task.name.slice(0, 30).replaceAll(' ', '-')}`;
  saveLogOnFailure(name, product.child);
  savePageOnFailure(name, () => page);
});

const onTarget = (name: string) => path.join(folder, 'nas', name);

async function createFiles(): Promise<void> {
  await mkdir(onTarget('照片/2026 春天'), { recursive: true });
  await mkdir(onTarget('空文件夹'));
  await writeFile(onTarget('说明.txt'), '第一行\r\n第二行\r\n');
  await writeFile(onTarget('照片/海.txt'), '海');
  await writeFile(onTarget('很长的名称'.repeat(15)), 'x');
  await writeFile(Buffer.concat([Buffer.from(`${onTarget('')}`), Buffer.from([0x62, 0xff, 0xfe])]), 'x');
  await writeFile(onTarget('备份.zip'), Buffer.alloc(3_000_000));
  await utimes(onTarget('备份.zip'), 1_700_000_000, 1_700_000_000);
}

const row = (name: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) });

async function screenshots(name: string): Promise<void> {
  if (!savesScreenshots) return;
  for (const [size, { viewport }] of Object.entries(screenSizes)) {
    await page.setViewportSize(viewport);
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await page.waitForTimeout(150);
      await saveArtefact(`files-${name}.${size}.${theme}.png`, await page.screenshot({ animations: 'disabled' }));
    }
  }
  await page.setViewportSize(screenSizes.desktop.viewport);
  await page.emulateMedia({ colorScheme: 'light' });
}

async function expectGoodPage(): Promise<void> {
  await expect.poll(() => seriousBarriers(page)).toEqual([]);
  expect(await untranslatedText(page)).toEqual([]);
  expect(await horizontalOverflow(page)).toEqual([]);
}

test('the target is trusted once, and its folder is shown', async () => {
  await page.goto(`${product.consoleUrl}/#/apps/${app.id}`);
  await page.getByText(sshd.hostKey).waitFor();
  await screenshots('host-key');
  await page.getByRole('button', { name: '信任并连接' }).click();
  await row('说明.txt').waitFor();
  await page.getByText('名称无法使用').waitFor();
  await screenshots('list');
  await expectGoodPage();
});

test('folders are places of the address, which Back, Forward and a reload keep', async () => {
  await page.getByRole('button', { name: '照片', exact: true }).click();
  await row('海.txt').waitFor();
  await page.goBack();
  await row('说明.txt').waitFor();
  await page.goForward();
  await row('海.txt').waitFor();
  await page.reload();
  await row('海.txt').waitFor();
  expect(errors).toEqual([]);
});
