import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { isFocusInDialog } from './page-quality.ts';
import { DEVICE_NAME, type Place, showManyDevices, visit } from './screen-steps.ts';

/** How a dialog of the console is opened by keyboard. */
export type DialogCase = {
  /** The dialog's name. */
  dialog: string | RegExp;
  /** The button that opens it, or its menu. */
  opener: string | RegExp;
  /** The item of the menu. */
  item?: string;
  /** What has the focus first; a question's focus is on the button that cancels. */
  focuses?: 'button' | 'dialog';
  hash: string;
  /** A text of the finished screen. */
  words: string;
  /**
   * It is also closed by Back, which is the work of `DialogFrame`: the linter allows no other dialogs, dialog.test.tsx
   * tests it, and one of each kind shows it in a browser.
   */
  closesByBack?: true;
  prepare?: (page: Page) => Promise<void>;
};

const devices = { hash: '#/devices', words: DEVICE_NAME };
const deviceMenu = { ...devices, opener: `${DEVICE_NAME} 更多操作` };
const mappingMenu = { ...devices, opener: '更多操作 nas.localhost' };
const records = { hash: '#/record', words: '允许当前网络' };
const announcements = {
  hash: '#/announcements',
  words: '欢迎使用通途',
  prepare: async (page: Page) => await page.getByRole('main').getByText('管理', { exact: true }).click(),
};
const users = { hash: '#/manage/users', words: '谁可以注册账号' };
const account = { hash: '#/user/info', words: '登录的浏览器' };

/** The dialogs that this account can open, and the menus that lead to some of them. */
export const dialogCases: readonly DialogCase[] = [
  { ...devices, dialog: '添加设备', opener: /添加设备$/, focuses: 'dialog', closesByBack: true },
  { ...devices, dialog: /^添加域名映射/, opener: /添加域名映射$/, closesByBack: true },
  { ...devices, dialog: '修改域名映射', opener: '修改 nas.localhost' },
  { ...devices, dialog: '检测连接', opener: '检测 camera.localhost', focuses: 'dialog' },
  { ...mappingMenu, dialog: '分享 nas.localhost', item: '分享' },
  { ...mappingMenu, dialog: '放行程序', item: '放行程序', focuses: 'dialog' },
  { ...mappingMenu, dialog: '删除 nas.localhost？', item: '删除', focuses: 'button', closesByBack: true },
  { ...deviceMenu, dialog: /^访问白名单/, item: '访问白名单' },
  { ...deviceMenu, dialog: /^诊断/, item: '诊断', focuses: 'dialog' },
  { ...deviceMenu, dialog: /^停用/, item: '停用设备', focuses: 'button' },
  { ...deviceMenu, dialog: '删除设备', item: '删除设备' },
  { ...devices, dialog: '使用自己的域名', opener: '怎么设置', focuses: 'dialog' },
  { ...devices, dialog: '备份', opener: '怎么备份', focuses: 'dialog' },
  { ...records, dialog: '延长有效期', opener: /^延长/, item: '自定义…' },
  { ...records, dialog: /^撤销/, opener: /^撤销/, focuses: 'button' },
  { ...announcements, dialog: '新建公告', opener: /新建公告$/ },
  { ...announcements, dialog: '编辑公告', opener: /^编辑公告/ },
  { ...announcements, dialog: /^删除公告/, opener: /^删除公告/, focuses: 'button' },
  { ...users, dialog: '邀请一个人', opener: /邀请$/ },
  { ...users, dialog: '新建账号', opener: /新建账号$/ },
  { ...users, dialog: 'admin 的管理权限', opener: 'admin 的操作', item: '管理权限…' },
  { ...account, dialog: '更换账号令牌？', opener: '更换账号令牌', focuses: 'dialog' },
  { ...account, dialog: '新建接入密钥', opener: '新建接入密钥' },
  { ...account, dialog: '修改密码', opener: '修改密码' },
  { ...account, dialog: '绑定邮箱', opener: '绑定邮箱' },
  { ...account, dialog: '绑定手机号', opener: '绑定手机号' },
  { ...account, dialog: '绑定微信', opener: '绑定微信', focuses: 'dialog' },
  { ...account, dialog: '设置身份验证器应用', opener: '启用身份验证器应用' },
  { ...account, dialog: '添加通行密钥', opener: '添加通行密钥' },
  { ...account, dialog: '新建 API 令牌', opener: '新建 API 令牌' },
  { ...account, dialog: '添加提醒方式', opener: '添加提醒方式' },
  { ...account, dialog: '删除账号', opener: '删除账号…' },
  { ...devices, dialog: /^升级/, opener: /^可升级到/, prepare: showUpgrade },
];

/** The devices with agents a version behind. */
async function showUpgrade(page: Page): Promise<void> {
  await showManyDevices(page);
  await page.reload();
}

/** A menu has no more items. */
const menuItems = 12;

/** Opens the dialog with keys only, and closes it by Escape; some also by the browser's Back. */
export async function expectKeyboardWorks(page: Page, at: Place, given: DialogCase): Promise<void> {
  const { hash, words, prepare, focuses = 'field' } = given;
  if (!page.url().endsWith(hash)) await visit(page, at, hash, words);
  await prepare?.(page);
  const opener = page.getByRole('button', { name: given.opener }).first();
  const dialog = page.getByRole('dialog', { name: given.dialog });

  await openByKeys(page, opener, given.item);
  await dialog.waitFor();
  await expect.poll(() => focusedKind(page)).toBe(focuses);
  await expectFocusStays(page, dialog);
  await page.keyboard.press('Escape');
  await expectReturn(dialog, opener);

  if (!given.closesByBack) return;
  await openByKeys(page, opener, given.item);
  await dialog.waitFor();
  await page.goBack();
  await expectReturn(dialog, opener);
  expect(page.url().endsWith(hash)).toBe(true);
}

/** Back, a second Back and a reload ask before they discard what was typed. */
export async function expectTypedTextKept(page: Page, at: Place): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto('about:blank');
  await visit(page, at, devices.hash, devices.words);
  await openByKeys(page, page.getByRole('button', { name: /添加域名映射$/ }).first(), undefined);
  const remark = page.getByRole('dialog').getByLabel('备注', { exact: true });
  await remark.fill('还没有保存');
  const question = page.getByRole('dialog', { name: '放弃填写的内容？' });
  await page.goBack();
  await question.waitFor();
  await page.goBack();
  await question.waitFor({ state: 'hidden' });
  expect(await remark.inputValue()).toBe('还没有保存');

  const asked: string[] = [];
  page.once('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await page.reload();
  expect(asked).toEqual(['beforeunload']);
}

async function openByKeys(page: Page, opener: Locator, item: string | undefined): Promise<void> {
  await opener.focus();
  await page.keyboard.press('Enter');
  if (item === undefined) return;
  await page.getByRole('menu').waitFor();
  for (let presses = 0; presses < menuItems; presses++) {
    if ((await page.locator(':focus').textContent()) === item) break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
}

/** Tab behind the last of the dialog's controls and Shift+Tab before the first one do not leave it. */
async function expectFocusStays(page: Page, dialog: Locator): Promise<void> {
  const controls = dialog.locator(
    ':is(a[href], button, input, textarea, select, [tabindex="0"]):not(:disabled):visible',
  );
  for (const [control, key] of [
    [controls.last(), 'Tab'],
    [controls.first(), 'Shift+Tab'],
  ] as const) {
    await control.focus();
    await page.keyboard.press(key);
    await expect.poll(() => isFocusInDialog(page)).toBe(true);
  }
}

async function expectReturn(dialog: Locator, opener: Locator): Promise<void> {
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true);
}

async function focusedKind(page: Page): Promise<string | undefined> {
  return await page.evaluate(() => {
    const { activeElement } = document;
    if (activeElement?.role === 'dialog') return 'dialog';
    return activeElement?.closest('[role=dialog]')
      ? activeElement.tagName.toLowerCase().replace(/^(input|textarea|select)$/, 'field')
      : undefined;
  });
}
