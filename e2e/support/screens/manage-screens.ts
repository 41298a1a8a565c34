import type { Page } from 'playwright-core';
import { buttonName } from '../browser/browser.ts';
import { type Place, type Screen, visit } from './screen-steps.ts';

const inAWeek = () => new Date(Date.now() + 7 * 86_400_000).toISOString();
const link = (at: Place) => ({
  ...{ id: 1, email: '', expires_at: inAWeek() },
  url: `${at.consoleUrl}/#/join?token=${'x'.repeat(22)}`,
});

/** Mocks what the server says of any one-time link. */
async function mockLink(page: Page, facts: object): Promise<void> {
  const plain = { purpose: 'join', username: '', invited_by: 'admin', address: '', can_join: true };
  await page.route('**/api/invitation/look/', (route) =>
    route.fulfill({ json: { ...plain, ...facts, expires_at: inAWeek() } }),
  );
}

async function openUsers(page: Page, at: Place): Promise<void> {
  await visit(page, at, '#/manage/users', '谁可以注册账号');
  await page.getByRole('listitem', { name: 'admin' }).waitFor();
}

/** The administrators' screens, and the pages that their one-time links lead to. */
export const manageScreens: Screen[] = [
  {
    name: 'manage-users',
    differsBySize: true,
    async open(page, at) {
      await page.route('**/api/manage/users/?*', async (route) => {
        const reply = await route.fetch();
        const { count, results, ...rest } = (await reply.json()) as { count: number; results: object[] }; // a page of users
        const other = { is_staff: false, is_superuser: false, last_seen_at: null };
        const users = [
          ...results,
          { ...results[0], ...other, id: 1001, username: '妈妈', has_password: false, email: '', phone_number: '' },
          { ...results[0], ...other, id: 1002, username: '长'.repeat(32), disabled_at: inAWeek() },
        ];
        await route.fulfill({ response: reply, json: { ...rest, count: count + 2, results: users } });
      });
      await openUsers(page, at);
      await page.getByRole('listitem', { name: '妈妈' }).waitFor();
    },
  },
  {
    name: 'invite',
    async open(page, at) {
      await openUsers(page, at);
      await page
        .getByRole('main')
        .getByRole('button', { name: buttonName('邀请') })
        .click();
      await page.getByRole('dialog').getByLabel('发邮件').check();
      await page.getByRole('dialog').getByLabel('对方的邮箱').waitFor();
    },
  },
  {
    name: 'one-time-link',
    async open(page, at) {
      await page.route('**/api/manage/invitations/', async (route) => {
        if (route.request().method() === 'POST') await route.fulfill({ status: 201, json: link(at) });
        else await route.continue();
      });
      await openUsers(page, at);
      await page
        .getByRole('main')
        .getByRole('button', { name: buttonName('邀请') })
        .click();
      await page.getByRole('dialog').getByRole('button', { name: '生成邀请' }).click();
      await page.getByText('邀请链接已生成').waitFor();
    },
  },
  {
    name: 'join',
    isAnonymous: true,
    async open(page, at) {
      await mockLink(page, { address: 'nas.localhost' });
      await visit(page, at, `#/join?token=${'x'.repeat(22)}`, '邀请您打开');
    },
  },
  {
    name: 'choose-password',
    isAnonymous: true,
    async open(page, at) {
      await mockLink(page, { purpose: 'password', username: '妈妈' });
      await visit(page, at, `#/join?token=${'y'.repeat(22)}`, '设置密码。');
    },
  },
  {
    name: 'accept-invitation',
    async open(page, at) {
      await mockLink(page, { invited_by: '小王', address: 'nas.localhost' });
      await visit(page, at, `#/join?token=${'z'.repeat(22)}`, '您已登录为 admin');
    },
  },
  {
    name: 'link-unknown',
    isAnonymous: true,
    allowedErrors: /404/,
    open: async (page, at) => await visit(page, at, `#/join?token=${'A'.repeat(22)}`, '链接打不开'),
  },
];
