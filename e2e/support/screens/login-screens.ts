import type { CaptchaType } from '@tongtu/contract';
import { drawChallenge } from '@tongtu/server/testing/captcha';
import type { Locator, Page } from 'playwright-core';
import { chooseLoginWay, logInThroughForm } from '../browser/browser.ts';
import { type Place, type Screen, visit } from './screen-steps.ts';

const SECOND_STEP_SECONDS = 300;
const CAPTCHA_SECONDS = 120;

async function openPhoneForm(page: Page, at: Place): Promise<void> {
  await visit(page, at, '#/login', '登录控制台');
  await chooseLoginWay(page, '手机验证码');
  await page.getByRole('textbox', { name: '手机号' }).waitFor();
}

/** Mocks the answer to the first request for a code: a captcha is required. */
const CAPTCHA_ASKED = /403/;

async function openCaptcha(page: Page, at: Place): Promise<Locator> {
  await openPhoneForm(page, at);
  await page.getByRole('textbox', { name: '手机号' }).fill('13800138000');
  await page.getByRole('button', { name: '获取验证码' }).click();
  const dialog = page.getByRole('dialog', { name: '人机验证' });
  await dialog.locator('img').first().waitFor();
  return dialog;
}

/** Mocked, because codes by SMS need the strongest kind and the server chooses among the others. */
function captchaScreen(type: CaptchaType): Screen {
  return {
    name: `captcha-${type}`,
    isAnonymous: true,
    allowedErrors: CAPTCHA_ASKED,
    async open(page, at) {
      const { answer: _, ...drawing } = await drawChallenge(type);
      const expires_at = new Date(Date.now() + CAPTCHA_SECONDS * 1000).toISOString();
      await page.route(
        (url) => url.pathname === '/captcha/',
        (route) => route.fulfill({ json: { key: 'looked at', expires_at, ...drawing } }),
      );
      await openCaptcha(page, at);
    },
  };
}

/** The sign-in methods that the login page does not show first, and the steps between. */
export const loginScreens: Screen[] = [
  { name: 'login-phone', isAnonymous: true, open: openPhoneForm },
  {
    name: 'login-phone-refused',
    isAnonymous: true,
    async open(page, at) {
      await openPhoneForm(page, at);
      await page.getByRole('button', { name: '登录 / 注册' }).click();
      await page.getByText('请先阅读并同意服务条款').waitFor();
    },
  },
  {
    name: 'login-terms',
    isAnonymous: true,
    async open(page, at) {
      await openPhoneForm(page, at);
      await page.getByRole('button', { name: '服务条款' }).click();
      await page.getByRole('dialog', { name: '服务条款' }).waitFor();
    },
  },
  {
    name: 'login-forgotten',
    isAnonymous: true,
    async open(page, at) {
      await visit(page, at, '#/login', '登录控制台');
      await chooseLoginWay(page, '密码');
      await page.getByRole('button', { name: '忘记密码？' }).click();
      await page.getByRole('heading', { name: '忘记密码' }).waitFor();
    },
  },
  {
    name: 'login-second-step',
    isAnonymous: true,
    async open(page, at) {
      // Only its looks; login.e2e.ts tests the step.
      const expiresAt = new Date(Date.now() + SECOND_STEP_SECONDS * 1000).toISOString();
      const methods = ['totp', 'passkey', 'recovery_code'];
      await page.route('**/custom/login/', (route) =>
        route.fulfill({ json: { id: 0, second_factor: { token: 'looked at', methods, expires_at: expiresAt } } }),
      );
      await visit(page, at, '#/login', '登录控制台');
      await logInThroughForm(page);
      await page.getByRole('heading', { name: '两步登录' }).waitFor();
    },
  },
  captchaScreen('slide'),
  captchaScreen('drag'),
  captchaScreen('rotate'),
  {
    name: 'captcha-click',
    isAnonymous: true,
    allowedErrors: CAPTCHA_ASKED,
    async open(page, at) {
      const dialog = await openCaptcha(page, at);
      await dialog.getByRole('application').click({ position: { x: 60, y: 70 } });
      await dialog.getByRole('application').click({ position: { x: 200, y: 150 } });
      await dialog.getByText('已点击 2 处').waitFor();
    },
  },
  {
    name: 'captcha-unreachable',
    isAnonymous: true,
    allowedErrors: /ERR_FAILED|403/,
    async open(page, at) {
      await page.route(
        (url) => url.pathname === '/captcha/',
        (route) => route.abort(),
      );
      await openPhoneForm(page, at);
      await page.getByRole('textbox', { name: '手机号' }).fill('13800138000');
      await page.getByRole('button', { name: '获取验证码' }).click();
      await page.getByRole('button', { name: '重新加载' }).waitFor();
    },
  },
  {
    name: 'captcha-email',
    ownData: 'open captcha',
    isAnonymous: true,
    allowedErrors: CAPTCHA_ASKED,
    async open(page, at) {
      const dialog = await openCaptcha(page, at);
      await dialog.getByRole('button', { name: /用邮箱验证码代替/ }).click();
      await dialog.getByLabel('邮箱', { exact: true }).waitFor();
    },
  },
];
