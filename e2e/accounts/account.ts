import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { must } from '@tongtu/base';
import { endConfirmations } from '@tongtu/server/testing/installation';
import { totpCode } from '@tongtu/server/testing/totp';
import { addAuthenticator } from '../support/browser/authenticator.ts';
import {
  buttonName,
  freshProfile,
  savePageOnFailure,
  loggedInProfile,
  logInThroughForm,
  openAnew,
} from '../support/browser/browser.ts';
import { readCode } from '../support/product/development-codes.ts';
import { ApiClient } from '../support/clients/api-client.ts';
import { request } from '../support/clients/http-request.ts';
import { inDatabase } from '../support/product/database.ts';
import { isFocusInDialog } from '../support/screens/page-quality.ts';
import { createPerson } from '../support/person.ts';
import { adminPassword, type Product } from '../support/product/product.ts';
import { openFlow } from '../support/flow.ts';
import { readImage, scanAs, wechatPhone } from '../support/services/wechat-phone.ts';
import type { Stage } from './stage.ts';

// One flow of an account in the console, in order: each test begins where the one before it ended.

const person = { account: 'lilei', email: '' };
const newPassword = 'a better password';

async function codesOf(shown: Locator): Promise<string[]> {
  await shown.getByRole('listitem').first().waitFor();
  return await shown.getByRole('listitem').allInnerTexts();
}

export function testAccount(stage: () => Stage): void {
  let product: Product;
  let browser: Browser;
  let owner: BrowserContext;
  let page: Page;
  let elsewhere: BrowserContext | undefined;
  let secret = '';
  let recoveryCodes: string[] = [];
  const startStep = openFlow();

  beforeAll(async () => {
    ({ product, browser } = stage());
    await createPerson(product, person);
    const client = new ApiClient(product);
    await client.logIn(person.account);
    owner = await loggedInProfile(browser, client, { locale: 'en-US' }); // the console is Chinese all the same
    page = await owner.newPage();
    await page.goto(`${product.consoleUrl}/#/user/info`);
    await page.getByRole('heading', { name: '个人资料' }).waitFor();
  });

  afterAll(async () => {
    await owner?.close();
    await elsewhere?.close();
  });

  beforeEach(async ({ task, skip }) => {
    const { isSecondTry } = startStep({ task, skip });
    if (isSecondTry) await page.reload(); // closes dialogs that the first try left open
    savePageOnFailure(`account-${task.name.slice(0, 30).replaceAll(' ', '-')}`, () => page);
  });

  function section(name: string): Locator {
    return page.getByRole('region', { name, exact: true });
  }

  function dialog(name: string | RegExp): Locator {
    return page.getByRole('dialog', { name });
  }

  /** Lets the session's confirmation expire, as after ten minutes. */
  async function forgetProof(): Promise<void> {
    await inDatabase(product, async (db) => await endConfirmations(db));
  }

  /** Shows the login, which leads back to the account. */
  async function logOut(): Promise<void> {
    await owner.clearCookies();
    await openAnew(page, `${product.consoleUrl}/#/login?url=${encodeURIComponent('#/user/info')}`);
  }

  /** The page of another browser of the same person: their phone, with WeChat. */
  async function showElsewhere(): Promise<Page> {
    elsewhere ??= await freshProfile(browser, wechatPhone);
    return elsewhere.pages()[0] ?? (await elsewhere.newPage());
  }

  test('errors are in Chinese in a browser set to English', async () => {
    await page.getByRole('button', { name: '修改用户名' }).click();
    const name = page.getByLabel('用户名', { exact: true });
    await name.fill('ADMIN');
    await name.press('Enter');
    await page.getByText('该用户名像是管理员或通途官方，请换一个').waitFor();
    await name.press('Escape');
    await name.waitFor({ state: 'hidden' });
  });

  test('the token is changed, and the one before still counts for a day', async () => {
    const token = section('账号令牌');
    await token.getByRole('button', { name: '显示账号令牌' }).click();
    const before = await token.getByText(/^tt_/).innerText();
    await token.getByRole('button', { name: '更换账号令牌' }).click();
    await dialog('更换账号令牌？').getByRole('button', { name: '更换账号令牌' }).click();
    await token.getByText(/更换前的账号令牌在 .* 之前仍可用来添加设备/).waitFor();
    expect(await token.getByText(/^tt_/).innerText()).not.toBe(before);
  });

  test('an e-mail address is bound by the code that was sent to it', async () => {
    await section('登录方式').getByRole('button', { name: '绑定邮箱' }).click();
    const form = dialog('绑定邮箱');
    await form.getByLabel('邮箱地址').fill('lilei@example.com');
    await form.getByRole('button', { name: '获取验证码' }).click();
    await form.getByText(/验证码已发送/).waitFor();
    const code = await readCode(product, 'lilei@example.com');
    await form.getByLabel('邮件验证码').fill(code === '000000' ? '111111' : '000000');
    await form.getByRole('button', { name: buttonName('绑定') }).click();
    await form.getByText('验证码不正确').waitFor();
    await form.getByLabel('邮件验证码').fill(code);
    await form.getByRole('button', { name: buttonName('绑定') }).click();
    await form.waitFor({ state: 'hidden' });
    await section('登录方式').getByText('lilei@example.com').waitFor();
  });

  test('a phone number is bound and replaced, by the code of the one before', async () => {
    await section('登录方式').getByRole('button', { name: '绑定手机号' }).click();
    const first = dialog('绑定手机号');
    await first.getByLabel('手机号', { exact: true }).fill('13800138000');
    await first.getByRole('button', { name: '获取验证码' }).click();
    await first.getByText(/验证码已发送/).waitFor();
    const code = await readCode(product, '+8613800138000');
    await first.getByLabel('短信验证码').fill(code);
    await first.getByRole('button', { name: buttonName('绑定') }).click();
    await section('登录方式')
      .getByText(/13800138000.*绑定/)
      .waitFor();

    await section('登录方式').getByRole('button', { name: '更换手机号' }).click();
    const second = dialog('更换手机号');
    await second.getByRole('radio', { name: '登录密码' }).check();
    await second.getByLabel('登录密码').and(second.locator('input[type=password]')).fill(adminPassword);
    await second.getByLabel('新手机号').fill('13900139000');
    await second.getByRole('button', { name: '获取验证码' }).click();
    await second.getByText(/验证码已发送/).waitFor();
    await second.getByLabel('短信验证码').fill(await readCode(product, '+8613900139000'));
    await second.getByRole('button', { name: buttonName('更换') }).click();
    await section('登录方式')
      .getByText(/13900139000.*绑定/)
      .waitFor();
  });

  test('a WeChat is bound by a scan that is confirmed on the phone, and asked about before', async () => {
    await forgetProof();
    await section('登录方式').getByRole('button', { name: '绑定微信' }).click();
    await dialog('确认是您本人').getByLabel('登录密码').fill(adminPassword);
    await page.keyboard.press('Enter');
    await dialog('绑定微信').getByText('请用微信扫一扫').waitFor();
    const phone = await showElsewhere();
    await scanAs(phone, await readImage(page), '测试用户乙');
    await phone.getByRole('button', { name: '确认登录' }).click();
    await section('登录方式')
      .getByText(/测试用户乙，.* 绑定/)
      .waitFor();
  });

  test('after ten minutes a dangerous action first asks for the password, and then continues', async () => {
    await forgetProof();
    await section('账号数据')
      .getByRole('button', { name: buttonName('导出') })
      .click();
    const question = dialog('确认是您本人');
    await question.getByLabel('登录密码').fill('not the password');
    await question.getByRole('button', { name: buttonName('确认') }).click();
    await question.getByText('密码不正确').waitFor();
    await question.getByLabel('登录密码').fill(adminPassword);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      question.getByRole('button', { name: buttonName('确认') }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^通途-lilei-\d{4}-\d\d-\d\d\.json$/);
    const exported = JSON.parse(await readFile(await download.path(), 'utf8'));
    expect(JSON.stringify(exported)).toContain('lilei@example.com');
    await question.waitFor({ state: 'hidden' });
  });

  test('an app for codes is set up, and asked for at the next login', async () => {
    const card = section('两步登录');
    await card.getByRole('button', { name: '启用身份验证器应用' }).click();
    const form = dialog('设置身份验证器应用');
    secret = (await form.getByText(/^([A-Z2-7]{4} ?){4,}/).innerText()).replaceAll(' ', '');
    await form.getByLabel('应用中显示的 6 位数字').fill(totpCode(secret));
    await form.getByRole('button', { name: buttonName('启用') }).click();
    const codes = dialog('保存恢复码');
    recoveryCodes = await codesOf(codes);
    expect(new Set(recoveryCodes).size).toBe(10);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      codes.getByRole('button', { name: buttonName('下载') }).click(),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toContain(must(recoveryCodes[9], 'ten codes'));
    await codes.getByRole('button', { name: '我已保存' }).click();
    await card.getByText('还有 10 个可用').waitFor();

    await logOut();
    await logInThroughForm(page, adminPassword, person.account);
    // Each code is valid once, so this is the next one, which the server already accepts.
    await page.getByLabel('动态口令').fill(totpCode(secret, { stepsLater: 1 }));
    await page.waitForURL(/#\/user\/info$/);
  });

  test('with a second step, only that confirms the identity: a recovery code does, once', async () => {
    await forgetProof();
    await section('两步登录').getByRole('button', { name: '添加通行密钥' }).waitFor();
    await section('API 令牌').getByRole('button', { name: '新建 API 令牌' }).click();
    const form = dialog('新建 API 令牌');
    await form.getByLabel('名称').fill('备份脚本');
    await form.getByLabel('查看设备和域名映射').check();
    await form.getByRole('button', { name: buttonName('新建') }).click();
    const question = dialog('确认是您本人');
    await question.getByLabel('动态口令').waitFor();
    expect(await question.getByText('登录密码').count()).toBe(0);
    await question.getByRole('button', { name: '恢复码' }).click();
    await question.getByLabel('恢复码').fill(must(recoveryCodes[0], 'a recovery code'));
    await question.getByRole('button', { name: buttonName('确认') }).click();

    const shown = dialog('保存 API 令牌');
    const token = await shown.getByText(/^tt_api_\S+$/).innerText();
    await shown.getByRole('button', { name: '我已保存' }).click();
    await section('两步登录').getByText('还有 9 个可用').waitFor();
    expect(await callWith(token, '/api/user/routers/')).toBe(200);
    expect(await callWith(token, '/api/user/sessions/')).toBe(403);

    await section('API 令牌').getByRole('button', { name: '删除 API 令牌 备份脚本' }).click();
    await dialog('删除 API 令牌“备份脚本”？')
      .getByRole('button', { name: buttonName('删除') })
      .click();
    await section('API 令牌').getByText('还没有 API 令牌').waitFor();
    expect(await callWith(token, '/api/user/routers/')).toBe(401);
  });

  async function callWith(token: string, path: string): Promise<number> {
    const headers = { authorization: `Bearer ${token}`, host: `localhost:${product.ports.http}` };
    return (await request({ port: product.ports.http, path, headers })).status;
  }

  test('a passkey is added, named, asked for before a dangerous act and at the login, and deleted', async () => {
    const authenticator = await addAuthenticator(page);
    const card = section('两步登录');
    await card.getByRole('button', { name: '添加通行密钥' }).click();
    await dialog('添加通行密钥').getByLabel('名称').fill('书房电脑');
    await dialog('添加通行密钥').getByRole('button', { name: '继续' }).click();
    await card.getByRole('button', { name: '删除通行密钥 书房电脑' }).waitFor();
    await card.getByRole('button', { name: '修改名称 书房电脑' }).click();
    await card.getByRole('textbox', { name: '名称 书房电脑' }).fill('客厅电脑');
    await page.keyboard.press('Enter');
    await card.getByRole('button', { name: '删除通行密钥 客厅电脑' }).waitFor();

    await forgetProof();
    await card.getByRole('button', { name: '重新生成恢复码' }).click();
    await dialog('重新生成恢复码？').getByRole('button', { name: '重新生成' }).click();
    const question = dialog('确认是您本人');
    await question.getByRole('button', { name: '通行密钥', exact: true }).click();
    await question.getByRole('button', { name: '使用通行密钥' }).click();
    const codes = dialog('保存恢复码');
    const [former] = recoveryCodes;
    recoveryCodes = await codesOf(codes);
    expect(recoveryCodes).not.toContain(former);
    await codes.getByRole('button', { name: '我已保存' }).click();

    // Otherwise the browser's passkey suggestions for the name field would log in at once.
    await authenticator.setPresence(false);
    await logOut();
    await logInThroughForm(page, adminPassword, person.account);
    await page.getByRole('button', { name: '改用通行密钥' }).click();
    await authenticator.setPresence(true);
    await page.getByRole('button', { name: '使用通行密钥' }).click();
    await page.waitForURL(/#\/user\/info$/);
    await authenticator.setPresence(false);
    await card
      .getByText(/使用过/)
      .first()
      .waitFor();
    await card.getByRole('button', { name: '删除通行密钥 客厅电脑' }).click();
    await dialog(/^删除通行密钥/)
      .getByRole('button', { name: buttonName('删除') })
      .click();
    await card.getByRole('list', { name: '通行密钥' }).waitFor({ state: 'hidden' });
  });

  test('the second step is switched off', async () => {
    await section('两步登录').getByRole('button', { name: '关闭两步登录' }).click();
    await dialog('关闭两步登录？').getByRole('button', { name: '关闭两步登录' }).click();
    await section('两步登录').getByText('未启用').waitFor();
  });

  test('another session is listed and logged out', async () => {
    const other = await showElsewhere();
    await openAnew(other, product.consoleUrl);
    await logInThroughForm(other, adminPassword, person.account);
    await other.waitForURL(/#\/devices$/);

    // Another screen first, so that the list is loaded anew.
    await page.goto(`${product.consoleUrl}/#/announcements`);
    await expect.poll(() => page.title()).toBe('通途 - 公告');
    await page.goto(`${product.consoleUrl}/#/user/info?section=sessions`);
    const card = section('登录的浏览器');
    await card.getByText('当前', { exact: true }).waitFor();
    await card.getByRole('button', { name: '退出其他全部登录' }).click();
    await dialog('退出其他全部登录？').getByRole('button', { name: '退出其他全部登录' }).click();
    await card.getByText('没有其他登录').waitFor();
    await other.waitForURL(/#\/login/);
  });

  test('the password is changed, and the login asks for it alone', async () => {
    await section('登录方式').getByRole('button', { name: '修改密码' }).click();
    const form = dialog('修改密码');
    await form.getByLabel('原密码').waitFor();
    // The keyboard works in the dialog, and Tab stays inside.
    for (let presses = 0; presses < 12; presses++) await page.keyboard.press('Tab');
    expect(await isFocusInDialog(page)).toBe(true);
    await form.getByLabel('原密码').fill('not the password');
    await form.getByLabel('新密码', { exact: true }).fill(newPassword);
    await form.getByLabel('再次输入新密码').fill(newPassword);
    await page.keyboard.press('Enter');
    await form.getByText('密码不正确').waitFor();
    await form.getByLabel('原密码').fill(adminPassword);
    await page.keyboard.press('Enter');
    await form.waitFor({ state: 'hidden' });
    await logOut();
    await logInThroughForm(page, newPassword, person.account);
    await page.waitForURL(/#\/user\/info$/);
  });

  test('every screen shows that the account will be deleted, and its owner cancels that', async () => {
    await page.goto(`${product.consoleUrl}/#/user/info?section=data`);
    await section('账号数据').getByRole('button', { name: '删除账号…' }).click();
    const form = dialog('删除账号');
    await form.getByLabel('请输入用户名“lilei”以确认').fill(person.account);
    await form.getByRole('button', { name: '7 天后删除账号' }).click();
    const notice = page.getByRole('alert').filter({ hasText: /您的账号将于 .* 删除/ });
    await notice.waitFor();

    await page.goto(`${product.consoleUrl}/#/devices`);
    await expect.poll(() => page.title()).toBe('通途 - 我的设备');
    await notice.getByRole('button', { name: '撤销删除' }).click();
    await notice.waitFor({ state: 'hidden' });
    await page.goto(`${product.consoleUrl}/#/user/info`);
    await section('账号数据').getByRole('button', { name: '删除账号…' }).waitFor();
  });
}
