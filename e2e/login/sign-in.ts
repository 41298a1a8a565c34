import { must } from '@tongtu/base';
import { RecoveryCodes, TotpSetup } from '@tongtu/contract';
import { endSecondSteps, findInviter, givePhoneNumber, hasRotatedTokens } from '@tongtu/server/testing/installation';
import { totpCode } from '@tongtu/server/testing/totp';
import type { Browser, Page, Request } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../support/clients/api-client.ts';
import { addAuthenticator } from '../support/browser/authenticator.ts';
import {
  arriveAt,
  buttonName,
  chooseLoginWay,
  clickForMessage,
  freshProfile,
  savePageOnFailure,
  logInThroughForm,
  openAnew,
} from '../support/browser/browser.ts';
import { CaptchaRobot } from '../support/browser/captcha-robot.ts';
import { readCode } from '../support/product/development-codes.ts';
import { forgetLimits, type ProductDatabase } from '../support/product/database.ts';
import { createPerson } from '../support/person.ts';
import { adminPassword, type Product } from '../support/product/product.ts';
import { type ScreenSize, screenSizes } from '../support/screens/screen-sizes.ts';
import type { Stage } from './stage.ts';

const WRONG_CODE = '000000';
const newPassword = 'a better password';

const phoneField = (page: Page) => page.getByRole('textbox', { name: '手机号' });

const codeField = (page: Page) => page.getByRole('textbox', { name: '短信验证码' });

/** The calls of a page that have no answer yet, but for the stream of live updates. */
function watchCalls(page: Page): ReadonlySet<Request> {
  const open = new Set<Request>();
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch') open.add(request);
  });
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  return open;
}

type Careful = { client: ApiClient; secret: string; recoveryCodes: string[] };

export function testSignIn(stage: () => Stage): void {
  let product: Product;
  let browser: Browser;
  let database: ProductDatabase;
  let pools: Stage['pools'];

  beforeAll(() => {
    ({ product, browser, database, pools } = stage());
  });

  async function openLogin(size: ScreenSize, query = ''): Promise<Page> {
    const page = await pools[size].take();
    savePageOnFailure('login', () => page);
    await forgetLimits(product);
    await page.goto(`${product.consoleUrl}/#/login${query}`);
    return page;
  }

  /** For a test that changes the page for good: a page of its own. */
  async function openOwnPage(): Promise<Page> {
    const profile = await freshProfile(browser, screenSizes.desktop);
    const page = await profile.newPage();
    savePageOnFailure('login', () => page);
    return page;
  }

  /** Requests a code, solves the captcha, and reads the code from the development page. */
  async function sendCode(page: Page, phone: string): Promise<string> {
    const robot = new CaptchaRobot(page, database.db);
    await phoneField(page).fill(phone);
    await page.getByRole('button', { name: '获取验证码' }).click();
    await robot.dialog.waitFor();
    await robot.solve();
    await page.getByText(/验证码已发送/).waitFor();
    return await readCode(product, `+86${phone}`);
  }

  test('a new number joins with a code, past a reload and the terms, and ends where it wanted to go, with who invited it', async () => {
    const phone = '13800138001';
    const page = await openLogin('desktop', '?aff=FRIEND8&url=%23%2Fuser%2Finfo');
    await chooseLoginWay(page, '手机验证码');
    const code = await sendCode(page, phone);
    await page.reload();
    await chooseLoginWay(page, '手机验证码');
    const again = page.getByRole('button', { name: /^\d+ 秒后可重发$/ });
    await again.waitFor();
    expect(await again.isDisabled()).toBe(true);
    expect(await phoneField(page).inputValue()).toBe(phone);
    expect(new URLSearchParams(page.url().split('?')[1]).get('aff')).toBe('FRIEND8');

    await codeField(page).fill(code === WRONG_CODE ? '111 111' : '000 000');
    expect(await codeField(page).inputValue()).toMatch(/^(0{6}|1{6})$/);
    await page.getByRole('button', { name: '登录 / 注册' }).click();
    await page.getByText('请先阅读并同意服务条款').waitFor();
    await page.getByRole('button', { name: '服务条款' }).click();
    const terms = page.getByRole('dialog', { name: '服务条款' });
    await terms.getByText('一、服务内容').waitFor();
    await terms.getByRole('button', { name: '同意', exact: true }).click();
    await terms.waitFor({ state: 'hidden' });
    expect(await page.getByRole('checkbox', { name: '我已阅读并同意' }).isChecked()).toBe(true);
    await codeField(page).press('Enter');
    await page.getByText('验证码不正确').waitFor();
    await codeField(page).fill(code);
    await codeField(page).press('Enter');
    await page.waitForURL(/#\/user\/info$/);
    expect(await findInviter(database.db, `+86${phone}`)).toBe('FRIEND8');
  });

  test('the password, by Enter, leads to the page of an address that does not work', async () => {
    const page = await openLogin('desktop', '?invalidDomain=none.localhost');
    await chooseLoginWay(page, '密码');
    await page.getByLabel('账号', { exact: true }).fill('admin');
    const password = page.locator('input[type=password]');
    await password.fill(adminPassword);
    await password.press('Enter');
    await arriveAt(page, /#\/errorport\?invalidDomain=none\.localhost$/);
  });

  test('on a phone a tap at the tab does not validate the empty number; a wrong number is reported without a captcha', async () => {
    const page = await openLogin('phone');
    await expect.poll(() => phoneField(page).evaluate((field) => field === document.activeElement)).toBe(true);
    await page.getByRole('tab', { name: '手机验证码' }).tap();
    await codeField(page).fill('123');
    await phoneField(page).focus();
    await page.getByText('请输入 6 位数字验证码').waitFor(); // looked at after the number was
    expect(await page.getByText('请输入手机号').count()).toBe(0);
    await page.getByRole('button', { name: '获取验证码' }).tap();
    await page.getByText('请输入手机号').waitFor();
    await phoneField(page).fill('12345');
    await page.getByRole('button', { name: '获取验证码' }).tap();
    await page.getByText('手机号不正确，请检查后重试').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('a tab of the previous user does nothing for the next one, and reloads as theirs', async () => {
    for (const account of ['liam', 'kate']) await createPerson(product, { account, email: '' });
    const old = await openLogin('desktop', '?url=%23%2Fuser%2Finfo');
    const openCalls = watchCalls(old);
    await logInThroughForm(old, adminPassword, 'liam');
    await old.getByRole('button', { name: '更换账号令牌' }).waitFor();
    await old.getByText('没有其他登录').waitFor();
    // A call without the cookie would make the tab report a lost session.
    await expect.poll(() => openCalls.size).toBe(0);
    await old.context().clearCookies();
    const next = await old.context().newPage();
    await next.goto(`${product.consoleUrl}/#/login`);
    await logInThroughForm(next, adminPassword, 'kate');
    await next.waitForURL(/#\/devices$/);

    await old.getByRole('button', { name: '更换账号令牌' }).click();
    await old.getByRole('dialog', { name: '更换账号令牌？' }).getByRole('button', { name: '更换账号令牌' }).click();

    const notice = old.getByRole('dialog', { name: '已换成其他账号登录' });
    await notice.waitFor();
    expect(await hasRotatedTokens(database.db)).toBe(false);
    await notice.getByRole('button', { name: buttonName('刷新') }).click();
    await notice.waitFor({ state: 'hidden' });
    await old.getByRole('main').getByText('kate', { exact: true }).waitFor();
  });

  test('a forgotten password is set anew by phone, and the new one logs in', async () => {
    const phone = '13800138004';
    await createPerson(product, { account: 'forgetful', email: '' });
    await givePhoneNumber(database.db, 'forgetful', `+86${phone}`);
    const page = await openLogin('desktop', '?url=%23%2Fuser%2Finfo');
    await chooseLoginWay(page, '密码');
    await page.getByRole('button', { name: '忘记密码？' }).click();
    await codeField(page).fill(await sendCode(page, phone));
    await page.locator('input[type=password]').fill('short');
    await page.getByRole('button', { name: '重设密码' }).click();
    await page.getByText('新密码至少 10 个字符').waitFor();
    await page.locator('input[type=password]').fill(phone);
    await page.getByText(/^新密码不能与用户名、手机号或邮箱相同/).waitFor();
    await page.locator('input[type=password]').fill('forgetful!');
    await page.getByRole('button', { name: '重设密码' }).click();
    await page.getByText(/^新密码不能与用户名、手机号或邮箱相同/).waitFor();
    await page.locator('input[type=password]').fill(newPassword);
    await page.getByRole('button', { name: '重设密码' }).click();

    await page.getByText('密码已重设，请用新密码登录').waitFor();
    await logInThroughForm(page, newPassword, phone);
    await arriveAt(page, /#\/user\/info$/);
  });

  /** A user with an authenticator app. */
  async function createCareful(account: string): Promise<Careful> {
    await createPerson(product, { account, email: '' });
    const client = new ApiClient(product);
    await client.logIn(account);
    const { secret } = TotpSetup.parse((await client.call('POST', '/api/user/totp/')).json);
    const confirmed = await client.call('POST', '/api/user/totp/confirm/', { code: totpCode(secret) });
    return { client, secret, recoveryCodes: RecoveryCodes.parse(confirmed.json).recovery_codes };
  }

  test('the second step takes a recovery code', async () => {
    const { recoveryCodes } = await createCareful('careful-one');
    const page = await openLogin('desktop');
    const enter = async (code: string) => {
      await logInThroughForm(page, adminPassword, 'careful-one');
      await page.getByRole('button', { name: '改用恢复码' }).click();
      await page.getByLabel('恢复码').fill(code);
      await page.getByRole('button', { name: buttonName('验证') }).click();
    };
    const code = must(recoveryCodes[0], 'a recovery code');
    await enter([...code].toReversed().join(''));
    await page.getByText('验证未通过，请重试').waitFor();
    await page.getByRole('button', { name: '返回登录' }).click();
    await enter(code);
    await arriveAt(page, /#\/devices$/);
  });

  test('a passkey logs in alone: by its button, and by the suggestions of the name’s field', async () => {
    const { client } = await createCareful('passkey-alone');
    const page = await openOwnPage();
    await addAuthenticator(page);
    await page.context().addCookies(client.browserCookies());
    await page.goto(`${product.consoleUrl}/api/login_status/`); // of the console's origin, and small
    expect(await page.evaluate(registerPasskey)).toBe(201);
    await page.addInitScript(withoutSuggestions);
    const openAgain = async ({ hasSuggestions }: { hasSuggestions: boolean }) => {
      await page.evaluate((given) => (sessionStorage['hasSuggestions'] = given), hasSuggestions);
      await page.context().clearCookies();
      await openAnew(page, `${product.consoleUrl}/#/login?url=%23%2Fuser%2Finfo`);
    };

    await openAgain({ hasSuggestions: false });
    await page.getByRole('button', { name: '用通行密钥登录' }).click();
    await page.waitForURL(/#\/user\/info$/);

    await openAgain({ hasSuggestions: true });
    await arriveAt(page, /#\/user\/info$/);
  });

  test('the second step takes the code of the app; a trusted browser skips it, until the user ends that; it expires', async () => {
    const { secret } = await createCareful('careful-two');
    const page = await openLogin('phone', '?url=%23%2Fuser%2Finfo');
    await logInThroughForm(page, adminPassword, 'careful-two');
    const code = totpCode(secret, { stepsLater: 1 }); // the current one was used up when the app was set up
    await page.getByLabel('动态口令').fill(code === WRONG_CODE ? '111111' : WRONG_CODE);
    await page.getByText('动态口令不正确，请输入应用里的下一个').waitFor();
    await page.getByLabel('信任此浏览器').check();
    await page.getByLabel('动态口令').fill(code);
    await page.waitForURL(/#\/user\/info$/);
    const logInAgain = async () => {
      await page.context().clearCookies({ name: 'sessionid' });
      await openAnew(page, `${product.consoleUrl}/#/login?url=%23%2Fuser%2Finfo`);
      await logInThroughForm(page, adminPassword, 'careful-two');
    };

    await logInAgain();
    await page.waitForURL(/#\/user\/info$/);
    await clickForMessage(page.getByRole('button', { name: /^不再信任 / }), '下次在它上面登录需要第二步');

    await logInAgain();
    await page.getByRole('heading', { name: '两步登录' }).waitFor();
    await endSecondSteps(database.db);
    await page.getByLabel('动态口令').fill(WRONG_CODE);
    await page.getByText('验证已超时，请重新登录').waitFor();
    await page.getByLabel('账号', { exact: true }).waitFor();
  });
}

/** Runs in the page. The authenticator answers suggestions at once, so the button could not be tried beside them. */
function withoutSuggestions(): void {
  if (sessionStorage['hasSuggestions'] === 'false')
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
}

/** Runs in the logged-in page, like the account screen, which has its own tests. */
async function registerPasskey(): Promise<number> {
  const csrf = /csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? '';
  const post = async (path: string, body?: unknown) =>
    await fetch(path, {
      method: 'POST',
      headers: { 'x-csrftoken': csrf, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const { options } = await (await post('/api/user/passkeys/options/')).json();
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential | null;
  return (await post('/api/user/passkeys/', { name: '测试', response: credential?.toJSON() })).status;
}
