import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { createHome } from '@tongtu/server/testing/installation';
import { type FakePayments, startFakePayments, writeServerEnvironment } from '@tongtu/server/testing/payments';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { saveLogOnFailure } from './support/artefacts.ts';
import {
  buttonName,
  clickForMessage,
  closeAnnouncements,
  launchBrowser,
  loggedInProfile,
  savePageOnFailure,
} from './support/browser/browser.ts';
import { readQrCode } from './support/browser/qr-code.ts';
import { ApiClient } from './support/clients/api-client.ts';
import { createPerson } from './support/person.ts';
import { inDatabase } from './support/product/database.ts';
import { startProduct, type Product } from './support/product/product.ts';
import {
  expectGoodLook,
  expectGoodScreen,
  isDrawn,
  savesScreenshots,
  saveScreenshot,
} from './support/screens/check-screen.ts';
import { screenSizes } from './support/screens/screen-sizes.ts';
import { shopScreens } from './support/screens/shop-screens.ts';

// A device without a plan is closed to visitors. Its owner buys one by scanning a code, and it opens. What else can be
// done with money follows, in one browser and in this order.

let payments: FakePayments;
let folder: string;
let product: Product;
let browser: Browser;
let owner: BrowserContext;
let page: Page;
let visitor: Page;
let staff: ApiClient;
let staffId: number;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tongtu-payments-'));
  payments = await startFakePayments();
  const file = await writeServerEnvironment(folder, payments.keys, payments.url);
  const env = parseEnv(await readFile(file, 'utf8')) as Record<string, string>; // of a file, every variable has a value
  [product, browser] = await Promise.all([startProduct({ env }), launchBrowser()]);
  staff = new ApiClient(product);
  ({ id: staffId } = await staff.logIn());
  owner = await loggedInProfile(browser, staff);
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

/** Orders, pays what the code asks for in the wallet, and closes the dialog when it shows the result. */
async function scanAndPay(buyer: Page, button: string | RegExp, result: string): Promise<void> {
  await buyer.getByRole('button', { name: button }).click();
  const { text: code } = await readQrCode(buyer.getByRole('img', { name: '支付宝付款的二维码' }));
  const wallet = await buyer.context().newPage();
  await wallet.goto(code);
  await wallet.getByRole('button', { name: '支付', exact: true }).click();
  await wallet.getByText('已支付').waitFor();
  await wallet.close();
  await buyer.getByText('支付成功').waitFor();
  await buyer.getByText(result).waitFor();
  await buyer.getByRole('button', { name: buttonName('完成') }).click();
}

async function staffCall(method: string, path: string, body: unknown): Promise<unknown> {
  const { status, json, text } = await staff.call(method, path, body);
  if (status !== 200 && status !== 201) throw new Error(`${method} ${path} was answered ${status}: ${text}`);
  return json;
}

test('a plan that is paid by its code opens the device at once', async () => {
  // The first start maps the welcome page soon after it serves the console.
  await expect.poll(async () => (await visitor.goto(welcomeUrl()))?.status()).toBe(403);
  await visitor.getByRole('heading', { name: '设备没有有效的套餐' }).waitFor();

  await page.goto(product.consoleUrl);
  await closeAnnouncements(page);
  await page.getByText('没有套餐').first().waitFor();
  const devices = await page.evaluate(async () => (await fetch('/api/user/routers/')).json());
  await page.goto(`${product.consoleUrl}/#/plans?router=${devices.results[0].id}`);
  await page.getByRole('button', { name: '购买“标准版”' }).click();
  await page.getByRole('checkbox', { name: '我已阅读并同意' }).check();
  await scanAndPay(page, '去支付 ¥26', '“标准版”已生效');
  await expect.poll(async () => (await visitor.goto(welcomeUrl()))?.status()).toBe(200);
});

test('it is renewed, and upgraded for the difference', async () => {
  await page.goto(`${product.consoleUrl}/#/plans`);
  const plan = (name: string) => page.getByRole('region', { name: '我的套餐' }).getByRole('listitem', { name });
  await plan('标准版')
    .getByRole('button', { name: buttonName('续费') })
    .click();
  await scanAndPay(page, '去支付 ¥26', '“标准版”已续费');
  await plan('标准版')
    .getByRole('button', { name: buttonName('升级') })
    .click();
  await page.getByText('升级价 = 两个套餐每小时的价格之差 × 剩余小时数').waitFor();
  await scanAndPay(page, /^去支付 ¥104$/, '已升级为“进阶版”');
  await plan('进阶版').getByText('20 条域名映射').waitFor();
});

test('it moves to another device, and a key opens the first one again', async () => {
  await inDatabase(product, async (db) => await createHome(db, { userId: staffId, prefix: 'second' }));
  await page.reload();
  await page.getByRole('button', { name: '进阶版 的更多操作' }).click();
  await page.getByRole('menuitem', { name: '换一台设备…' }).click();
  await page.getByRole('combobox', { name: '设备' }).click();
  await page.locator('.ant-select-item-option', { hasText: '邻居的设备' }).click();
  await clickForMessage(page.getByRole('button', { name: buttonName('绑定') }), '“进阶版”已绑定到“邻居的设备”');
  await expect.poll(async () => (await visitor.goto(welcomeUrl()))?.status()).toBe(403);

  const products = (await staffCall('GET', '/api/manage/products/', undefined)) as { results: { id: number }[] };
  const { keys } = (await staffCall('POST', '/api/manage/product-keys/', {
    ...{ product_id: products.results[1]?.id, count: 1 },
  })) as { keys: string[] };
  await page.goto(`${product.consoleUrl}/#/productos`);
  await page.getByRole('textbox', { name: '兑换码' }).fill(`您的兑换码是 ${keys[0]?.toLowerCase()}，请收好`);
  await page.getByRole('combobox', { name: '用于设备' }).click();
  const { device } = await staff.waitForWelcomeDevice();
  await page.locator('.ant-select-item-option', { hasText: device.name }).click();
  await page.getByRole('button', { name: buttonName('兑换') }).click();
  await page.getByText('兑换成功').waitFor();
  await expect.poll(async () => (await visitor.goto(welcomeUrl()))?.status()).toBe(200);
});

test('a promoter buys keys for a place at a discount, and staff pays them back', async () => {
  const promoterId = await createPerson(product, { account: 'zhao_1' });
  await staffCall('PATCH', `/api/manage/users/${promoterId}/`, { is_promoter: true });
  await staffCall('POST', '/api/manage/places/', { name: '电脑城门店', promoter: promoterId });
  const products = (await staffCall('GET', '/api/manage/products/', undefined)) as { results: { id: number }[] };
  const tiers = [{ from: 10, percent: 80 }];
  await staffCall('POST', '/api/manage/bulk_products/', { product_id: products.results[1]?.id, tiers });

  const promoter = new ApiClient(product);
  await promoter.logIn('zhao_1');
  const profile = await loggedInProfile(browser, promoter, screenSizes.phone);
  const shop = await profile.newPage();
  await shop.goto(`${product.consoleUrl}/#/productos?view=bulk`);
  await shop.getByText('10 个起 八折').waitFor();
  await shop.getByText('电脑城门店').waitFor();
  await shop.getByRole('checkbox', { name: '我已阅读并同意' }).check();
  await scanAndPay(shop, '去支付 ¥208', '“标准版”的 10 个兑换码已生成');
  await shop.goto(`${product.consoleUrl}/#/productos?view=keys`);
  await shop.getByText('共 10 个').waitFor();

  await page.goto(`${product.consoleUrl}/#/manage/orders`);
  await page
    .getByRole('button', { name: /^订单 .* 退款$/ })
    .first()
    .click();
  await page.getByText('这笔订单的兑换码全部作废').waitFor();
  await page.getByRole('textbox', { name: '原因' }).fill('门店关了');
  await clickForMessage(page.getByRole('button', { name: '退款 ¥208' }), '已提交退款 ¥208');
  await shop.reload();
  await expect.poll(async () => await shop.getByText('已作废').count()).toBeGreaterThanOrEqual(10);
  await profile.close();
  expect(await staffCall('GET', '/api/manage/ledger/check/', undefined)).toMatchObject({ balanced: true });
});

let theme: 'light' | 'dark' = 'light';

test.for(shopScreens)('the screen $name is complete, Chinese and accessible, on a phone, too', async (screen) => {
  const { name, hash, words, open } = screen;
  // Another screen in between discards open dialogs and input, and nothing is loaded anew.
  await page.goto(`${product.consoleUrl}/#/announcements`);
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await page.goto(`${product.consoleUrl}/${hash}`);
  await page.getByRole('main').getByText(words).first().waitFor();
  await open?.(page);

  const other = theme === 'light' ? 'dark' : 'light';
  await expectGoodScreen(page);
  await saveScreenshot(`shop-${name}.desktop.${theme}.png`, page);
  await page.setViewportSize(screenSizes.phone.viewport);
  if (savesScreenshots) await isDrawn(page);
  await saveScreenshot(`shop-${name}.phone.${theme}.png`, page);
  await page.emulateMedia({ colorScheme: other });
  await expectGoodLook(page);
  await saveScreenshot(`shop-${name}.phone.${other}.png`, page);
  await page.setViewportSize(screenSizes.desktop.viewport);
  if (savesScreenshots) await isDrawn(page);
  await saveScreenshot(`shop-${name}.desktop.${other}.png`, page);
  // The next screen begins with it: a change takes as long as a check.
  theme = other;
});
