import type { CaptchaType } from '@tongtu/contract';
import { forgetCaptchas, forgetFailedLogins } from '@tongtu/server/testing/installation';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { ApiClient } from '../support/clients/api-client.ts';
import { arriveAt, logInThroughForm, savePageOnFailure } from '../support/browser/browser.ts';
import { CaptchaRobot } from '../support/browser/captcha-robot.ts';
import { readCode } from '../support/product/development-codes.ts';
import { forgetLimits, type ProductDatabase } from '../support/product/database.ts';
import { adminPassword, type Product } from '../support/product/product.ts';
import type { ScreenSize } from '../support/screens/screen-sizes.ts';
import type { Stage } from './stage.ts';

// The captcha of a password login: three wrong passwords in a row cause it. The answers are read from the database.

type Login = { page: Page; robot: CaptchaRobot };

const WRONG_PASSWORDS = [1, 2, 3].map((n) => `wrong password ${n}`);

/** The captcha was right: the server has looked at the password. */
async function expectPasswordTried({ page }: Login): Promise<void> {
  await page.getByText('账号或密码不正确').waitFor();
}

const gentle = ['slide', 'drag', 'rotate'] as const satisfies CaptchaType[];

const kinds = [...gentle, 'click'] as const;

type Solving = { type: CaptchaType; by: 'mouse' | 'finger' | 'keyboard' };

const solveBy = (by: Solving['by'], types: readonly CaptchaType[]): Solving[] => types.map((type) => ({ type, by }));

/** Width and height on the screen, rounded, because the browser computes with fractions of pixels. */
async function sizeOf(element: Locator): Promise<number[]> {
  const box = await element.boundingBox();
  return box ? [box.width, box.height].map((length) => Math.round(length * 10) / 10) : [];
}

async function paddingOf(element: Locator): Promise<string> {
  return await element.evaluate((shown) => getComputedStyle(shown).padding);
}

export function testCaptcha(stage: () => Stage): void {
  let product: Product;
  let database: ProductDatabase;
  let pools: Stage['pools'];

  beforeAll(() => {
    ({ product, database, pools } = stage());
  });

  /** The login page, where the next try needs a captcha. */
  async function openLogin(size: ScreenSize): Promise<Login> {
    const page = await pools[size].take();
    savePageOnFailure(`captcha-${size}`, () => page);
    const robot = new CaptchaRobot(page, database.db);
    await forgetLimits(product);
    // An open captcha, and the wrong passwords of an account, would count against the next test.
    await Promise.all([forgetCaptchas(database.db), forgetFailedLogins(database.db)]);
    await page.goto(`${product.consoleUrl}/#/login`);
    return { page, robot };
  }

  /** Three wrong passwords from this address by another client, so that the next try in the form opens the captcha. */
  async function failUntilAsked(): Promise<void> {
    const client = new ApiClient(product);
    await client.call('GET', '/api/login_status/');
    for (const password of WRONG_PASSWORDS) {
      const reply = await client.call('POST', '/custom/login/', { account: 'admin', password });
      expect(reply.status).toBe(401);
    }
  }

  /** The captcha is open, and this password is tried again after it. */
  async function openCaptcha({ page, robot }: Login): Promise<void> {
    await failUntilAsked();
    await logInThroughForm(page, 'wrong password');
    await robot.dialog.waitFor();
  }

  /** Solves one captcha after another. A wrong password but for the last one lets the next try ask again. */
  async function solveEach({ page, robot }: Login, solvings: readonly Solving[]): Promise<void> {
    for (const [index, { type, by }] of solvings.entries()) {
      const isLast = index === solvings.length - 1;
      await forgetFailedLogins(database.db); // ten would lock the account
      await robot.prefer(type);
      await logInThroughForm(page, isLast ? adminPassword : 'wrong password');
      await robot.dialog.waitFor();
      const answered = page.waitForResponse((response) => response.url().endsWith('/custom/login/'));
      expect(await robot.solve({ by })).toBe(type);
      // By itself: nothing else is clicked.
      expect((await answered).status()).toBe(isLast ? 200 : 401);
    }
    await arriveAt(page, /#\/devices$/);
  }

  describe.each([
    // A finger slides as it drags and rotates: by the same handle.
    ['phone', 'by finger', solveBy('finger', ['slide', 'click'])],
    // The arrow keys rotate by the handle that they slide.
    [
      'desktop',
      'by mouse and by keyboard alone',
      [...solveBy('mouse', kinds), ...solveBy('keyboard', ['slide', 'drag', 'click'])],
    ],
  ] as const)('on a %s', (size, how, solvings) => {
    test(`${how} a right captcha lets the password be tried again by itself`, async () => {
      const login = await openLogin(size);
      await failUntilAsked();
      await solveEach(login, solvings);
    });

    test('widgets and button have the sizes of the specification, and fit the screen', async () => {
      const login = await openLogin(size);
      const { dialog } = login.robot;
      await login.robot.prefer('click');
      await failUntilAsked();
      await logInThroughForm(login.page);
      await dialog.waitFor();
      for (const type of ['click', ...gentle] as const) {
        await login.robot.prefer(type);
        await forgetLimits(product); // more images than the limits allow
        await dialog.getByRole('button', { name: '换一张图片' }).click();
        await expect.poll(async () => (await login.robot.shown()).type).toBe(type);

        const frame = dialog.locator('[class*=frame]');
        expect(await sizeOf(frame)).toEqual([324, expect.any(Number)]); // 300 and the padding
        expect(await paddingOf(frame)).toBe('16px 12px');
        expect(await sizeOf(dialog.locator('[class*=_image_]'))).toEqual([300, 220]);
        const icons = dialog.locator('[class*=footer] svg');
        expect([await sizeOf(icons.nth(0)), await sizeOf(icons.nth(1))]).toEqual([
          [22, 22],
          [22, 22],
        ]);
        if (type === 'rotate') expect(await sizeOf(dialog.locator('[class*=round]'))).toEqual([220, 220]);
        if (type === 'click') {
          expect(await sizeOf(dialog.locator('[class*=thumb]'))).toEqual([150, 40]);
          await dialog.getByRole('application').click({ position: { x: 100, y: 100 } });
          expect(await sizeOf(dialog.getByRole('button', { name: '撤销第 1 个点' }))).toEqual([24, 24]);
        }
        expect(await login.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      }

      // The button is as wide as the specification says, or as there is.
      await dialog.getByRole('button', { name: '关闭' }).click();
      await dialog.waitFor({ state: 'hidden' });
      const button = login.page.getByRole('button', { name: '未完成验证，请点击重试' });
      const [whole = 0] = await sizeOf(login.page.getByRole('button', { name: /^登\s*录$/ }));
      expect(await sizeOf(button)).toEqual([Math.min(whole, 330), 44]);
      expect(await paddingOf(button)).toBe('12px 16px');
      if (size === 'desktop') expect(whole).toBeGreaterThanOrEqual(330);
    });
  });

  test('after three wrong passwords a wrong answer shows a message and another image, of the strong kind from then on', async () => {
    const login = await openLogin('desktop');
    await login.robot.prefer('slide');
    let sentCount = 0;
    login.page.on('request', (request) => {
      if (request.url().endsWith('/custom/login/')) sentCount++;
    });
    for (const password of WRONG_PASSWORDS) {
      const answered = login.page.waitForResponse((response) => response.url().endsWith('/custom/login/'));
      await logInThroughForm(login.page, password);
      expect((await answered).status()).toBe(401);
      await login.page.getByText('账号或密码不正确').waitFor();
    }
    await logInThroughForm(login.page, 'wrong password');
    await login.robot.dialog.waitFor();
    // The next password waits until the captcha is solved.
    expect(sentCount).toBe(WRONG_PASSWORDS.length);
    const first = await login.robot.shown();
    // To the left: a gap at the right end is where the handle stops.
    await login.robot.answer({ off: -20 });
    await login.robot.dialog.getByText('验证未通过，已换一张新的图片').waitFor();
    await login.robot.dialog.getByText('请在下图依次点击').waitFor();
    expect((await login.robot.shown()).key).not.toBe(first.key);
    await login.robot.solve();
    await expectPasswordTried(login);
  });

  test('a code by mail replaces the images', async () => {
    const login = await openLogin('desktop');
    const address = 'nobody@example.com';
    await openCaptcha(login);
    await login.robot.dialog.getByRole('button', { name: '看不清图片？用邮箱验证码代替' }).click();
    await login.robot.dialog.getByLabel('邮箱', { exact: true }).fill(address);
    await login.robot.dialog.getByRole('button', { name: '获取验证码' }).click();
    await login.robot.dialog.getByText('验证码已发送').waitFor();
    const code = await readCode(product, address);
    await login.robot.dialog.getByLabel('邮箱验证码').fill(code === '000000' ? '000001' : '000000');
    await login.robot.dialog.getByRole('button', { name: '确定' }).click();
    await login.robot.dialog.getByText('验证码不正确').waitFor();

    await login.robot.dialog.getByLabel('邮箱验证码').fill(code);
    await login.robot.dialog.getByRole('button', { name: '确定' }).click();
    await expectPasswordTried(login);
  });

  test('without a network the dialog shows an error and a button to try again; a tab in the background or offline keeps its captcha', async () => {
    const login = await openLogin('desktop');
    await login.page.route(
      (url) => url.pathname === '/captcha/',
      (route) => route.abort(),
    );
    await openCaptcha(login);
    await login.robot.dialog.getByText('无法连接服务器').waitFor();
    expect(await login.robot.dialog.getByRole('button', { name: '确认' }).isDisabled()).toBe(true);
    await login.page.unrouteAll();
    await login.robot.dialog.getByRole('button', { name: '重新加载' }).click();
    const first = await login.robot.shown();
    const asked: string[] = [];
    login.page.on('request', (request) => asked.push(new URL(request.url()).pathname));

    // All tabs of a headless browser count as visible, so the test sets their visibility.
    for (const state of ['hidden', 'visible']) {
      await login.page.evaluate((visibilityState) => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, value: visibilityState });
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      }, state);
    }
    await login.page.context().setOffline(true);
    await login.page.context().setOffline(false);
    await login.page.waitForFunction(() => navigator.onLine);
    // The page would have sent such requests before this one.
    await login.page.evaluate(async () => void (await fetch('/api/login_status/')));

    expect(asked).toContain('/api/login_status/');
    expect(asked).not.toContain('/captcha/');
    expect((await login.robot.shown()).key).toBe(first.key);
  });
}
