import type { Locator, Page } from 'playwright-core';
import type { ApiClient } from '../clients/api-client.ts';
import { buttonName } from '../browser/browser.ts';
import { openMappingMenu, openNewMapping, type Place, type Screen, visit } from './screen-steps.ts';

/** A mapping for each reason of a denial; their targets do not exist. */
export async function createGatePages(client: ApiClient, router: number): Promise<void> {
  const page = { router, kind: 'http', target: 'http://127.0.0.1:9' } as const;
  await client.createMapping({ ...page, prefix: 'locked', policy: 'password', password: 'open sesame' });
  await client.createMapping({ ...page, prefix: 'closed', policy: 'closed' });
  const later = await client.createMapping({ ...page, prefix: 'later', opens_at: '2126-11-30T16:00:00.000Z' });
  await followEndedLink(client, later.id);
}

/** A refused visit, by a share link that was revoked. */
async function followEndedLink(client: ApiClient, mappingId: number): Promise<void> {
  const made = await client.call('POST', `/api/user/records/${mappingId}/shares/`, { valid_hours: 1 });
  const { id, url } = made.json as { id: number; url: string };
  await client.call('DELETE', `/api/user/shares/${id}/`);
  const reply = await client.call('GET', new URL(url).pathname, undefined, { origin: undefined });
  if (reply.status !== 410) throw new Error(`the revoked link was answered ${reply.status}: ${reply.text}`);
}

/** The screens of the gate, for owners and for visitors. */
export const gateScreens: Screen[] = [
  {
    name: 'mapping-password',
    async open(page, at) {
      const dialog = await openNewMapping(page, at);
      await dialog.locator('label').filter({ hasText: '需访问密码' }).click();
      await dialog.getByRole('button', { name: buttonName('生成') }).click();
      await dialog.getByRole('button', { name: '复制访问密码' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'udp-forgery',
    async open(page, at) {
      const dialog = await openNewMapping(page, at);
      await dialog.getByRole('textbox', { name: '主机' }).fill('udp://192.168.1.10:51820');
      await dialog.getByRole('textbox', { name: '备注' }).focus();
      await dialog.getByText(/UDP 的来源地址可以伪造/).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'share-links',
    async open(page, at) {
      await openMappingMenu(page, at, 'nas.localhost', '分享');
      const dialog = page.getByRole('dialog', { name: '分享 nas.localhost' });
      await dialog.getByRole('button', { name: '新建链接' }).click();
      await dialog.getByRole('img', { name: /的二维码$/ }).waitFor();
      await page.getByText('分享链接已建好').waitFor();
    },
  },
  {
    name: 'share-members',
    allowedErrors: /422/,
    async open(page, at) {
      await openMappingMenu(page, at, 'nas.localhost', '分享');
      const dialog = page.getByRole('dialog', { name: '分享 nas.localhost' });
      await dialog.getByRole('tab', { name: '成员' }).click();
      await dialog.getByRole('textbox', { name: '手机号或邮箱' }).fill('not a contact');
      await dialog.getByRole('button', { name: buttonName('添加') }).click();
      await dialog.getByText('请输入正确的手机号或邮箱').waitFor();
    },
  },
  {
    name: 'mark-client',
    open: async (page, at) => void (await openClientWindow(page, at)),
  },
  {
    name: 'mark-client-stopped',
    async open(page, at) {
      const dialog = await openClientWindow(page, at);
      await dialog.getByRole('button', { name: '停止等待' }).click();
      await dialog.getByText(/内还可以放行/).waitFor();
    },
  },
  { name: 'records', differsBySize: true, open: async (page, at) => await visit(page, at, '#/record', '允许当前网络') },
  {
    name: 'records-refused',
    differsBySize: true,
    open: async (page, at) => await visit(page, at, '#/record?view=refused', '分享链接已失效'),
  },
  {
    name: 'records-none-refused',
    open: async (page, at) => await visit(page, at, '#/record?view=refused&q=nobody', '没有符合条件的记录'),
  },
  {
    name: 'records-extend',
    async open(page, at) {
      await visit(page, at, '#/record', '允许当前网络');
      await page.getByRole('button', { name: /^延长/ }).first().click();
      await page.getByRole('menuitem', { name: '自定义…' }).click();
      const dialog = page.getByRole('dialog', { name: '延长有效期' });
      await dialog.getByRole('textbox', { name: '时长' }).fill('400');
      await dialog.getByRole('button', { name: buttonName('延长') }).click();
      await dialog.getByText('请输入 1–365 的整数').waitFor();
    },
  },
  {
    name: 'records-revoke',
    async open(page, at) {
      await visit(page, at, '#/record', '允许当前网络');
      await page.getByRole('button', { name: /^撤销/ }).first().click();
      await page.getByRole('dialog').getByText('撤销后立即失效').waitFor();
    },
  },
  {
    name: 'records-none-found',
    differsBySize: true,
    open: async (page, at) => await visit(page, at, '#/record?state=revoked&q=nobody', '没有符合条件的记录'),
  },
  {
    name: 'check-password',
    isAnonymous: true,
    open: async (page, at) => await visitCheck(page, at, 'locked', '请输入访问密码'),
  },
  {
    name: 'check-password-wrong',
    isAnonymous: true,
    // Forbidden, or asked to solve a captcha first; in the end locked for a while.
    allowedErrors: /4(03|29)/,
    async open(page, at) {
      await visitCheck(page, at, 'locked', '请输入访问密码');
      await page.getByLabel('访问密码', { exact: true }).fill('a guess');
      await page.getByRole('button', { name: buttonName('进入') }).click();
      await page.getByText('访问密码不正确').or(page.getByRole('dialog')).first().waitFor();
    },
  },
  {
    name: 'check-share-ended',
    isAnonymous: true,
    open: async (page, at) => await visitCheck(page, at, 'nas', '分享链接已失效', '&share=no-such-code'),
  },
  {
    name: 'check-closed',
    isAnonymous: true,
    open: async (page, at) => await visitCheck(page, at, 'closed', '已被所有者设为禁止访问'),
  },
  {
    name: 'check-later',
    isAnonymous: true,
    open: async (page, at) => await visitCheck(page, at, 'later', '将于 2126-12-01 00:00 开放'),
  },
  {
    name: 'check-not-kept',
    ownData: 'check rounds',
    isAnonymous: true,
    async open(page, at) {
      // The state after three rounds of a browser without cookies.
      await page.goto(at.consoleUrl);
      await page.evaluate(
        ([url, now]) => sessionStorage.setItem('tongtu.check-rounds', [url, now, now, now].join('\n')),
        [`http://nas.localhost:${at.httpPort}/`, Date.now()] as const,
      );
      await visitCheck(page, at, 'nas', '浏览器没有保存验证结果');
    },
  },
  {
    name: 'errorport-closed',
    open: async (page, at) => await visit(page, at, '#/errorport?invalidDomain=closed.localhost', '修改开放设置'),
  },
  {
    name: 'errorport-later',
    open: async (page, at) => await visit(page, at, '#/errorport?invalidDomain=later.localhost', '将于 2126-12-01'),
  },
];

/** Opens it unless an earlier screen of the same mapping has. */
async function openClientWindow(page: Page, at: Place): Promise<Locator> {
  await openMappingMenu(page, at, at.sshUrl, '放行程序');
  const dialog = page.getByRole('dialog', { name: '放行程序' });
  const start = dialog.getByRole('button', { name: /^(开始|重新开始)$/ });
  await start.or(dialog.getByRole('button', { name: '停止等待' })).waitFor();
  if (await start.isVisible()) await start.click();
  await dialog.getByText('正在等待程序连接…').waitFor();
  return dialog;
}

async function visitCheck(page: Page, at: Place, prefix: string, words: string, more = ''): Promise<void> {
  const url = encodeURIComponent(`http://${prefix}.localhost:${at.httpPort}/`);
  await visit(page, at, `#/check?url=${url}${more}`, words);
}
