import type { CaptchaType } from '@tongtu/contract';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keepLogOnFailure } from './support/artefacts.ts';
import { chooseLoginWay, freshProfile, keepPageOnFailure, launchBrowser, logInThroughForm } from './support/browser.ts';
import { CaptchaRobot } from './support/captcha-robot.ts';
import { developmentCodes } from './support/development-codes.ts';
import { forgetLimits, openDatabase } from './support/neighbour.ts';
import { startProduct, type Product } from './support/product.ts';
import { type ScreenSize, screenSizes } from './support/screen-sizes.ts';

// The captcha of a password login: three wrong passwords in a row bring it on. The answers are read from the database.

let product: Product;
let browser: Browser;
let database: pg.Client & AsyncDisposable;
let last: BrowserContext | undefined;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct({ env: developmentCodes }), launchBrowser()]);
  database = await openDatabase(product);
});

afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
  await browser?.close();
  await product?.[Symbol.asyncDispose]();
});

type Stage = { context: BrowserContext; page: Page; robot: CaptchaRobot };

/** The login page, at which the server asks for a captcha from now on. */
async function openStage(size: ScreenSize): Promise<Stage> {
  // Not at the end of its own test: what has failed is looked at after that.
  await last?.close();
  const context = await freshProfile(browser, screenSizes[size]);
  last = context;
  const page = await context.newPage();
  keepPageOnFailure(`captcha-${size}`, () => page);
  const robot = new CaptchaRobot(page, database);
  await forgetLimits(product);
  await page.goto(`${product.consoleUrl}/#/login`);
  return { context, page, robot };
}

/** Three wrong passwords; the fourth try opens the captcha. */
async function failUntilAsked({ page, robot }: Stage): Promise<void> {
  for (let failures = 0; failures < 3; failures++) {
    const answered = page.waitForResponse((response) => response.url().endsWith('/custom/login/'));
    await logInThroughForm(page, `wrong ${failures}`);
    expect((await answered).status()).toBe(401);
    await page.getByText('账号或密码不正确').waitFor();
  }
  await logInThroughForm(page);
  await robot.dialog.waitFor();
}

beforeEach(() => keepLogOnFailure('captcha', product.child));

const gentle = ['slide', 'drag', 'rotate'] as const satisfies CaptchaType[];

describe.each(['desktop', 'phone'] as const)('on a %s', (size) => {
  const by = size === 'phone' ? 'finger' : 'mouse';

  test.each([...gentle, 'click' as const])(
    'a right %s captcha lets the password be tried again by itself',
    async (type) => {
      const stage = await openStage(size);
      await stage.robot.prefer(type);
      await failUntilAsked(stage);
      expect(await stage.robot.solve({ by })).toBe(type);
      await stage.page.waitForURL(/#\/devices$/);
    },
  );

  test('the widgets have the sizes of the specification, and fit the screen', async () => {
    const stage = await openStage(size);
    await stage.robot.prefer('slide');
    await failUntilAsked(stage);
    await stage.robot.shown();
    const box = async (selector: string) => await stage.robot.dialog.locator(selector).first().boundingBox();
    expect(await box('[class*=picture]')).toMatchObject({ width: 300, height: 220 });
    expect(await box('[class*=frame]')).toMatchObject({ width: 324 });
    const icon = await stage.robot.dialog.getByRole('button', { name: '关闭' }).locator('svg').boundingBox();
    expect(icon).toMatchObject({ width: 22, height: 22 });
    expect(await stage.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  });
});

test.each([...gentle, 'click' as const])('a %s captcha can be solved by keyboard alone', async (type) => {
  const stage = await openStage('desktop');
  await stage.robot.prefer(type);
  await failUntilAsked(stage);
  expect(await stage.robot.solve({ by: 'keyboard' })).toBe(type);
  await stage.page.waitForURL(/#\/devices$/);
});

test('a wrong answer brings another picture and a word about it, and from then on the hardest kind', async () => {
  const stage = await openStage('desktop');
  await stage.robot.prefer('slide');
  await failUntilAsked(stage);
  const first = await stage.robot.shown();
  await stage.robot.answer({ off: first.type === 'slide' ? 20 : 0 });
  await stage.robot.dialog.getByText('验证未通过，已换一张新的图片').waitFor();
  await stage.robot.dialog.getByText('请在下图依次点击').waitFor();
  expect((await stage.robot.shown()).key).not.toBe(first.key);
  await stage.robot.solve();
  await stage.page.waitForURL(/#\/devices$/);
});

test('refresh brings another picture, and closing leaves a button that opens it again', async () => {
  const stage = await openStage('desktop');
  await failUntilAsked(stage);
  const first = await stage.robot.shown();
  await stage.robot.dialog.getByRole('button', { name: '换一张图片' }).click();
  await expect.poll(async () => (await stage.robot.shown()).key).not.toBe(first.key);
  await stage.robot.dialog.getByRole('button', { name: '关闭' }).click();
  await stage.robot.dialog.waitFor({ state: 'hidden' });
  await stage.page.getByText('请先完成人机验证').waitFor();

  await stage.page.getByRole('button', { name: '未完成验证，请点击重试' }).click();
  await stage.robot.solve();
  await stage.page.getByRole('button', { name: '验证通过' }).waitFor();
  await logInThroughForm(stage.page);
  await stage.page.waitForURL(/#\/devices$/);
});

test('without a network the dialog says so, and its button tries again', async () => {
  const stage = await openStage('desktop');
  await stage.page.route(
    (url) => url.pathname === '/captcha/',
    (route) => route.abort(),
  );
  await failUntilAsked(stage);
  await stage.robot.dialog.getByText('无法连接服务器').waitFor();
  expect(await stage.robot.dialog.getByRole('button', { name: '确认' }).isDisabled()).toBe(true);
  await stage.page.unrouteAll();
  await stage.robot.dialog.getByRole('button', { name: '重新加载' }).click();
  await stage.robot.solve();
  await stage.page.waitForURL(/#\/devices$/);
});

test('those who cannot see the pictures may have a code sent to their mail', async () => {
  const stage = await openStage('desktop');
  await failUntilAsked(stage);
  await stage.robot.dialog.getByRole('button', { name: '看不清图片？用邮箱验证码代替' }).click();
  await stage.robot.dialog.getByLabel('邮箱', { exact: true }).fill('nobody@example.com');
  await stage.robot.dialog.getByRole('button', { name: '获取验证码' }).click();
  await stage.robot.dialog.getByText('验证码已发送').waitFor();
  await stage.robot.dialog.getByLabel('邮箱验证码').fill('000000');
  await stage.robot.dialog.getByRole('button', { name: '确定' }).click();
  await stage.robot.dialog.getByText(/验证码(不正确|已失效)/).waitFor();
});

test('a tab that nobody looks at keeps its captcha', async () => {
  const stage = await openStage('desktop');
  await chooseLoginWay(stage.page, '密码');
  await failUntilAsked(stage);
  const first = await stage.robot.shown();
  const other = await stage.context.newPage();
  await other.bringToFront();
  await stage.page.bringToFront();
  expect((await stage.robot.shown()).key).toBe(first.key);
});
