import { giveInvitationReward } from '@tongtu/server/testing/installation';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  chooseLoginWay,
  closeAnnouncements,
  freshProfile,
  logInThroughForm,
  savePageOnFailure,
  watchErrors,
} from '../support/browser/browser.ts';
import { CaptchaRobot } from '../support/browser/captcha-robot.ts';
import { readQrCode } from '../support/browser/qr-code.ts';
import { createPerson } from '../support/person.ts';
import { openDatabase, type ProductDatabase } from '../support/product/database.ts';
import { readCode } from '../support/product/development-codes.ts';
import { adminPassword } from '../support/product/product.ts';
import { seriousBarriers } from '../support/screens/accessibility.ts';
import { screenSizes } from '../support/screens/screen-sizes.ts';
import type { Stage } from './stage.ts';

const inviter = { account: 'inviter', email: 'inviter@example.com' };

/** Somebody invites a friend, who joins by the link on a phone, and claims a reward. */
export function testInvite(stage: () => Stage): void {
  let database: ProductDatabase;

  beforeAll(async () => {
    database = await openDatabase(stage().product);
    await createPerson(stage().product, inviter);
  });

  afterAll(() => database?.[Symbol.asyncDispose]());

  async function openProfile(size: 'desktop' | 'phone'): Promise<Page> {
    const profile = await freshProfile(stage().browser, screenSizes[size]);
    onTestFinished(() => profile.close());
    const page = await profile.newPage();
    savePageOnFailure(`invite-${size}`, () => page);
    return page;
  }

  /** Makes an account by phone, with the address that the page shows. */
  async function joinByPhone(page: Page, phone: string): Promise<void> {
    await chooseLoginWay(page, '手机验证码');
    const robot = new CaptchaRobot(page, database.db);
    await page.getByRole('textbox', { name: '手机号' }).fill(phone);
    await page.getByRole('button', { name: '获取验证码' }).click();
    await robot.dialog.waitFor();
    await robot.solve();
    await page.getByText(/验证码已发送/).waitFor();
    await page.getByRole('textbox', { name: '短信验证码' }).fill(await readCode(stage().product, `+86${phone}`));
    await page.getByRole('checkbox', { name: '我已阅读并同意' }).check();
    await page.getByRole('button', { name: '登录 / 注册' }).click();
  }

  test('a friend joins by the link, the inviter sees it, and a reward becomes a key', async () => {
    const page = await openProfile('desktop');
    const errors = watchErrors(page);
    await page.goto(`${stage().product.consoleUrl}/#/login?url=%23%2Finvite`);
    await logInThroughForm(page, adminPassword, inviter.account);
    await page.waitForURL(/#\/invite$/);
    const { text: link } = await readQrCode(page.getByRole('img', { name: '邀请链接的二维码' }));
    const code = /#\/login\?aff=([0-9A-Z]{8})$/.exec(link)?.[1] ?? '';
    expect(code).toHaveLength(8);
    await page.getByText('还没有人通过您的链接注册').waitFor();

    const friend = await openProfile('phone');
    await friend.goto(`${stage().product.consoleUrl}/?aff=${code}#/invite`);
    await friend.waitForURL(/#\/login\?/);
    await joinByPhone(friend, '13800138003');
    await friend.waitForURL(/#\/invite\?/);
    await closeAnnouncements(friend);
    await friend.getByText('您的邀请人：i***r').waitFor();
    expect(await friend.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);

    await giveInvitationReward(database.db, inviter.account);
    await page.reload();
    await page.getByText('1 人').first().waitFor();
    await page.getByRole('button', { name: '领取7 天，来自 小***王' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('没有付费套餐的设备，请换成兑换码').waitFor();
    await dialog.getByRole('button', { name: /^领\s?取$/ }).click();
    const { text: redeemUrl } = await readQrCode(dialog.getByRole('img', { name: '兑换码的二维码' }));
    expect(redeemUrl).toMatch(/#\/productos\?key=[0-9A-Z]{5}(?:-[0-9A-Z]{5}){3}$/);
    await page.keyboard.press('Escape');
    await page.getByText('已换成兑换码').waitFor();
    expect(await seriousBarriers(page)).toEqual([]);
    expect(errors).toEqual([]);
  });
}
