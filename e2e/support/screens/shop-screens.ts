import type { Page } from 'playwright-core';
import { buttonName } from '../browser/browser.ts';

/** A screen of the shop. `open` gets a page that is at another one; what it opens is left by going there. */
export type ShopScreen = { name: string; hash: string; words: string; open?: (page: Page) => Promise<void> };

const click = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click();
  await page.getByRole('dialog').waitFor();
};

const plans = { hash: '#/plans', words: '最多续到两年以后' };
const orders = { hash: '#/orders', words: '已支付' };
const managedOrders = { hash: '#/manage/orders', words: '已退款' };

/** What is shown to buyers, promoters and staff after the purchases of the tests before. */
export const shopScreens: ShopScreen[] = [
  { name: 'plans', ...plans },
  { name: 'plans-buy', ...plans, open: click('购买“标准版”') },
  {
    name: 'plans-move',
    ...plans,
    async open(page) {
      await page.getByRole('button', { name: '进阶版 的更多操作' }).click();
      await page.getByRole('menuitem', { name: '换一台设备…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'plans-upgrade',
    hash: '#/plans',
    words: '我的套餐',
    async open(page) {
      const plan = page.getByRole('region', { name: '我的套餐' }).getByRole('listitem', { name: '标准版' });
      await plan.getByRole('button', { name: buttonName('升级') }).click();
      await page.getByText('升级价 = ').waitFor();
    },
  },
  {
    name: 'pay',
    ...plans,
    async open(page) {
      await click('购买“标准版”')(page);
      await page.getByRole('button', { name: '去支付 ¥26' }).click();
      await page.getByRole('img', { name: '支付宝付款的二维码' }).waitFor();
    },
  },
  { name: 'orders', hash: '#/orders', words: '等待支付' },
  { name: 'order', ...orders, open: click(/^订单 .* 的详情$/) },
  { name: 'order-cancel', ...orders, open: click(/^取消订单 /) },
  { name: 'redeem', hash: '#/productos', words: '尾号' },
  { name: 'places', hash: '#/productos?view=places', words: '电脑城门店' },
  { name: 'place', hash: '#/productos?view=places', words: '电脑城门店', open: click('修改“电脑城门店”') },
  { name: 'keys', hash: '#/productos?view=keys', words: '已作废' },
  { name: 'keys-make', hash: '#/productos?view=keys', words: '已作废', open: click('生成兑换码') },
  { name: 'keys-mark', hash: '#/productos?view=keys', words: '已作废', open: click('粘贴标记') },
  { name: 'bulk', hash: '#/productos?view=bulk', words: '10 个起 八折' },
  { name: 'invite', hash: '#/invite', words: '还没有人通过您的链接注册' },
  { name: 'devices-plan', hash: '#/devices', words: '到期' },
  { name: 'manage-products', hash: '#/manage/products', words: '体验版' },
  { name: 'manage-product', hash: '#/manage/products', words: '体验版', open: click(/^修改.*标准版/) },
  { name: 'manage-orders', ...managedOrders },
  { name: 'manage-order', ...managedOrders, open: click(/^订单 .* 的详情$/) },
  { name: 'manage-refund', ...managedOrders, open: click(/^订单 .* 退款$/) },
  {
    name: 'manage-ledger',
    hash: '#/manage/ledger',
    words: '账目核对',
    async open(page) {
      await page.getByRole('button', { name: '立即核对' }).click();
      await page.getByText('各科目余额').waitFor();
    },
  },
];
