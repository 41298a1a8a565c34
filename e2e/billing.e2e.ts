import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { type FakePayments, startFakePayments, writeServerEnvironment } from '@tongtu/server/testing/payments';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { saveLogOnFailure } from './support/artefacts.ts';
import {
  closeAnnouncements,
  freshProfile,
  launchBrowser,
  logInThroughForm,
  savePageOnFailure,
} from './support/browser/browser.ts';
import { readQrCode } from './support/browser/qr-code.ts';
import { startProduct, type Product } from './support/product/product.ts';

// A device without a plan is closed to visitors. Its owner buys one by scanning a code, and it opens.

let payments: FakePayments;
let folder: string;
let product: Product;
let browser: Browser;
let owner: BrowserContext;
let page: Page;
let visitor: Page;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tongtu-payments-'));
  payments = await startFakePayments();
  const file = await writeServerEnvironment(folder, payments.keys, payments.url);
  const env = parseEnv(await readFile(file, 'utf8')) as Record<string, string>; // of a file, every variable has a value
  [product, browser] = await Promise.all([startProduct({ env }), launchBrowser()]);
  owner = await freshProfile(browser);
  page = await owner.newPage();
  visitor = await owner.newPage();
});

afterAll(async () => {
  await browser?.close();
  await product?.[Symbol.asyncDispose]();
  await payments?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(() => {
  saveLogOnFailure('billing', product.child);
  savePageOnFailure('billing', () => page);
});

/** The welcome page that each first start maps. */
function welcomeUrl(): string {
  return product.consoleUrl.replace('localhost', 'welcome.localhost');
}

test('a plan that is paid by its code opens the device at once', async () => {
  // The first start maps the welcome page soon after it serves the console.
  await expect.poll(async () => (await visitor.goto(welcomeUrl()))?.status()).toBe(403);
  await visitor.getByRole('heading', { name: '套餐已到期' }).waitFor();

  await page.goto(`${product.consoleUrl}/#/login`);
  await logInThroughForm(page);
  await closeAnnouncements(page);
  await page.getByText('套餐过期').first().waitFor();
  const devices = await page.evaluate(async () => (await fetch('/api/user/routers/')).json());
  await page.goto(`${product.consoleUrl}/#/plans?router=${devices.results[0].id}`);
  await page.getByRole('button', { name: '购买“标准版”' }).click();
  await page.getByRole('checkbox', { name: '我已阅读并同意' }).check();
  await page.getByRole('button', { name: '去支付 ¥26' }).click();
  const { text: code } = await readQrCode(page.getByRole('img', { name: '支付宝付款的二维码' }));

  const wallet = await owner.newPage();
  await wallet.goto(code);
  await wallet.getByRole('button', { name: '支付', exact: true }).click();

  await page
    .getByText(/“标准版”/)
    .first()
    .waitFor();
  await page
    .getByText(/支付成功|已生效/)
    .first()
    .waitFor();
  await expect.poll(async () => (await visitor.goto(welcomeUrl()))?.status()).toBe(200);
});
