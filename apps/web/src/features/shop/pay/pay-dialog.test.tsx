import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Order } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../../../api/index.ts';
import { show } from '../../../testing/show.tsx';
import { orderOf, pageOf, paid, planOf, shopAnswers } from '../testing/shop-fixtures.ts';
import { PayDialog } from './pay-dialog.tsx';

afterEach(cleanup);

const poll = 'GET /api/user/product/orders/{id}/';
const pay = 'POST /api/user/product/orders/{id}/payment/';
const cancel = 'DELETE /api/user/product/orders/{id}/';

function open(order: Order, answers: Parameters<typeof show>[1] = {}) {
  return show(<PayDialog order={order} onClose={() => undefined} />, {
    ...shopAnswers(),
    'GET /api/user/product/plans/': () => pageOf([planOf()]),
    [poll]: () => order,
    ...answers,
  });
}

test('the order is polled until it is paid, and what changed is shown', async () => {
  let asked = 0;
  open(orderOf(), { [poll]: () => (++asked < 2 ? orderOf() : orderOf({ ...paid, plan: 40 })) });
  await screen.findByRole('img', { name: '支付宝付款的二维码' });
  screen.getByText(/^二维码 .*后失效$/);
  await screen.findByText('支付成功');
  screen.getByText('“标准版”已生效');
  await screen.findByText(/^有效期到 2126-11-01/);
  screen.getByText('用于设备“家里的群晖”');
});

test('another provider has a code of its own', async () => {
  const other = orderOf({
    pay: { provider: 'wechat', qr_text: 'weixin://wxpay/x', expires_at: '2126-11-24T02:00:00.000Z' },
  });
  let isOther = false;
  const calls = open(orderOf(), {
    [pay]: () => {
      isOther = true;
      return other;
    },
    [poll]: () => (isOther ? other : orderOf()),
  });
  fireEvent.click(await screen.findByRole('radio', { name: '微信支付' }));
  await screen.findByRole('img', { name: '微信支付付款的二维码' });
  expect(calls.find(({ key }) => key === pay)?.input).toEqual({ params: { id: 90 }, body: { provider: 'wechat' } });
});

const back = { amount_fen: 2599, reason: '付款金额与订单不符，自动退回', is_done: false };

test('a code that has expired is not shown, and can be refreshed', async () => {
  const ended = orderOf({
    pay: { provider: 'alipay', qr_text: 'https://qr.alipay.com/old', expires_at: '2020-01-01T00:00:00.000Z' },
  });
  const calls = open(ended, { [pay]: () => orderOf() });
  await screen.findByText('二维码已失效');
  expect(screen.queryByRole('img', { name: '支付宝付款的二维码' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: '刷新二维码' }));
  await waitFor(() => expect(calls.some(({ key }) => key === pay)).toBe(true));
});

test('a provider that does not answer can be asked again', async () => {
  open(orderOf({ pay: null }), {
    [pay]: () => Promise.reject(new ApiError({ type: 'network' })),
  });
  await screen.findByText('暂时没有拿到付款二维码');
  fireEvent.click(screen.getByRole('button', { name: '刷新二维码' }));
  await screen.findByText(/网络/);
  screen.getByText('暂时没有拿到付款二维码');
});

test('an order is cancelled after a question', async () => {
  const closed = orderOf({ status: 'closed', closes_at: null, pay: null });
  let isClosed = false;
  open(orderOf(), {
    [cancel]: () => {
      isClosed = true;
      return closed;
    },
    [poll]: () => (isClosed ? closed : orderOf()),
  });
  fireEvent.click(await screen.findByRole('button', { name: '取消订单' }));
  await screen.findByText('取消后不能再付款。如果您已经付了款，到账后会自动原路退回。');
  const question = screen.getAllByRole('dialog').at(-1);
  if (!question) throw new Error('no question');
  fireEvent.click(within(question).getByRole('button', { name: '取消订单' }));
  await screen.findByText('订单已关闭');
});

test.each([
  [orderOf({ status: 'closed', closes_at: null, pay: null }), '订单已关闭'],
  [orderOf({ status: 'refunded', refunded_fen: 2600, closes_at: null, pay: null }), '¥26 已原路退回'],
  [orderOf({ ...paid, kind: 'bulk', quantity: 20 }), '“标准版”的 20 个兑换码已生成'],
  [orderOf({ ...paid, kind: 'renew', plan: 40 }), '“标准版”已续费'],
  [orderOf({ ...paid, kind: 'upgrade', plan: 40 }), '已升级为“标准版”'],
  [orderOf({ pay: null, returns: [back] }), '已收到 ¥25.99：付款金额与订单不符，自动退回（退款处理中）'],
  [orderOf({ status: 'closed', closes_at: null, pay: null, returns: [back] }), '已收到 ¥25.99'],
  [orderOf({ providers: [], pay: null }), '当前服务没有开通在线支付'],
])('an order says what came of it: %#', async (order, words) => {
  open(order);
  await screen.findByText((text) => text.includes(words));
});

test('a server that cannot be reached loses nothing', async () => {
  open(orderOf(), { [poll]: () => Promise.reject(new ApiError({ type: 'network' })) });
  await screen.findByText('连不上服务器，正在重试；已经付的款不会丢失。');
  screen.getByRole('img', { name: '支付宝付款的二维码' });
});
