import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../../../api/index.ts';
import { deviceOf } from '../../../testing/device-fixtures.ts';
import { show } from '../../../testing/show.tsx';
import { orderOf, pageOf, paid, shopAnswers } from '../testing/shop-fixtures.ts';
import { OrdersPage } from './orders-page.tsx';

afterEach(cleanup);

const list = 'GET /api/user/product/orders/';
const cancel = 'DELETE /api/user/product/orders/{id}/';
const unpaid = orderOf();
const back = { amount_fen: 5200, reason: '订单已关闭，付款自动退回', is_done: true };
const bought = orderOf({
  ...paid,
  id: 91,
  number: 'T2',
  kind: 'bulk',
  quantity: 20,
  refunded_fen: 100,
  returns: [back],
});

function open(answers: Parameters<typeof show>[1] = {}) {
  return show(<OrdersPage />, {
    ...shopAnswers(),
    'GET /api/user/routers/': () => pageOf([deviceOf()]),
    [list]: () => pageOf([unpaid, bought]),
    'GET /api/user/product/orders/{id}/': () => unpaid,
    ...answers,
  });
}

const row = async (number: string) => within(await screen.findByRole('listitem', { name: number }));

test('an order says its state; only an unpaid one can be paid or cancelled', async () => {
  const calls = open({ [cancel]: () => orderOf({ status: 'closed' }) });
  const done = await row('T2');
  done.getByText('已支付');
  done.getByText('20 个兑换码');
  done.getByText('已退 ¥1');
  expect(done.queryByRole('button', { name: '去支付：订单 T2' })).toBeNull();
  const waiting = await row(unpaid.number);
  waiting.getByText('等待支付');
  fireEvent.click(waiting.getByRole('button', { name: `取消订单 ${unpaid.number}` }));
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '取消订单' }));
  await screen.findByText('订单已取消');
  expect(calls.find(({ key }) => key === cancel)?.input).toEqual({ params: { id: 90 } });
});

test('an unpaid order is paid again', async () => {
  open();
  fireEvent.click((await row(unpaid.number)).getByRole('button', { name: `去支付：订单 ${unpaid.number}` }));
  await screen.findByRole('img', { name: '支付宝付款的二维码' });
});

test('the details of an order name its device and terms', async () => {
  open();
  fireEvent.click((await row('T2')).getByRole('button', { name: '订单 T2 的详情' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('家里的群晖');
  dialog.getByText('批量购买');
  dialog.getByText('已收到 ¥52：订单已关闭，付款自动退回（已原路退回）');
  dialog.getByText('带宽 4 Mbit/s');
});

test('no orders, and orders that cannot be loaded', async () => {
  open({ [list]: () => pageOf([]) });
  await screen.findByText('还没有订单');
  cleanup();
  open({ [list]: () => Promise.reject(new ApiError({ type: 'network' })) });
  await screen.findByText('订单加载失败');
});
