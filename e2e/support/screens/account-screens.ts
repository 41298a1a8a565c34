import type { Page } from 'playwright-core';
import { buttonName } from '../browser/browser.ts';
import { type Place, type Screen, visit } from './screen-steps.ts';

/** The sections and dialogs of the account's screen. */
export const accountScreens: Screen[] = [
  {
    name: 'user-info-data',
    open: async (page, at) => await visit(page, at, '#/user/info?section=data', '删除账号…'),
  },
  {
    name: 'rotate-token',
    open: async (page, at) => await openAccountDialog(page, at, '更换账号令牌', '更换账号令牌？'),
  },
  { name: 'change-password', open: async (page, at) => await openAccountDialog(page, at, '修改密码', '原密码') },
  { name: 'bind-email', open: async (page, at) => await openAccountDialog(page, at, '绑定邮箱', '邮件验证码') },
  {
    name: 'set-up-totp',
    open: async (page, at) => await openAccountDialog(page, at, '启用身份验证器应用', '扫描二维码'),
  },
  {
    name: 'recovery-codes',
    ownData: 'second step',
    async open(page, at) {
      await page.route('**/api/user/security/', async (route) => {
        const reply = await route.fetch();
        const security = (await reply.json()) as object; // of the caller
        await route.fulfill({ response: reply, json: { ...security, totp: true, recovery_codes_left: 2 } });
      });
      const codes = Array.from({ length: 10 }, (_, index) => `7kd9-m2q${index}-x4vb`);
      await page.route('**/api/user/recovery_codes/', (route) => route.fulfill({ json: { recovery_codes: codes } }));
      await visit(page, at, '#/user/info', '登录的浏览器');
      await page.getByRole('button', { name: '重新生成' }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: buttonName('重新生成') })
        .click();
      await page.getByRole('dialog', { name: '保存恢复码' }).getByRole('button', { name: '复制全部' }).waitFor();
    },
  },
  {
    name: 'add-passkey',
    open: async (page, at) => await openAccountDialog(page, at, '添加通行密钥', '方便以后认出它'),
  },
  { name: 'new-api-token', open: async (page, at) => await openAccountDialog(page, at, '新建 API 令牌', '有效期') },
  { name: 'delete-account', open: async (page, at) => await openAccountDialog(page, at, '删除账号…', '请输入用户名') },
  {
    name: 'confirm-password',
    ownData: 'open confirmation',
    allowedErrors: /403/,
    async open(page, at) {
      // The confirmation has expired, as after ten minutes.
      const refusal = { status: 403, code: 'session.confirm-required' };
      await page.route('**/api/user/export/', (route) =>
        route.fulfill({ ...refusal, contentType: 'application/problem+json', body: JSON.stringify(refusal) }),
      );
      await openAccountDialog(page, at, '导出', '登录密码');
    },
  },
];

/** Presses a button of the account's screen and waits for a text of what it opens. */
async function openAccountDialog(page: Page, at: Place, button: string, words: string): Promise<void> {
  await visit(page, at, '#/user/info', '登录的浏览器');
  await page.getByRole('button', { name: buttonName(button) }).click();
  await page.getByRole('dialog').getByText(words).first().waitFor();
}
