import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import type { ManagedOrder } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { pageOf, showToStaff } from '../testing/manage-fixtures.tsx';
import { ManagedOrdersPage } from './managed-orders-page.tsx';

afterEach(cleanup);

const list = 'GET /api/manage/orders/';
const refund = 'POST /api/manage/orders/{id}/refund/';

function orderOf(given: Partial<ManagedOrder> = {}): ManagedOrder {
  return {
    ...{ id: 9, number: 'T9', kind: 'renew', status: 'paid', quantity: 1, amount_fen: 2_600, refunded_fen: 600 },
    product: { id: 2, name: '标准版', days: 365, bandwidth_bps: 4_000_000, mapping_limit: 12, app_kinds: ['ssh'] },
    ...{ plan: 4, router: 7, created_at: '2026-11-01T00:00:00.000Z', closes_at: null, pay: null, providers: [] },
    returns: [],
    paid_at: '2026-11-01T00:01:00.000Z',
    user: { id: 3, username: '妈妈' },
    payments: [
      {
        ...{ id: 5, provider: 'alipay', number: 'P5', status: 'paid', amount_fen: 2_600, transaction_id: '2026112422' },
        paid_at: '2026-11-01T00:01:00.000Z',
        refunds: [
          {
            ...{ id: 6, amount_fen: 600, reason: '补偿', status: 'done', made_by: 'root' },
            ...{ created_at: '2026-11-02T00:00:00.000Z', done_at: '2026-11-02T00:00:01.000Z' },
          },
        ],
      },
    ],
    ...given,
  };
}

function open(orders: ManagedOrder[] = [orderOf()], answers: Parameters<typeof showToStaff>[1] = {}) {
  return showToStaff(<ManagedOrdersPage />, { [list]: () => pageOf(orders), ...answers });
}

const row = async (number: string) => within(await screen.findByRole('listitem', { name: number }));

test('only a paid order of which something is left can be refunded', async () => {
  open([
    orderOf(),
    orderOf({ id: 10, number: 'T10', status: 'open' }),
    orderOf({ id: 11, number: 'T11', kind: 'key', amount_fen: 0, refunded_fen: 0, user: null }),
  ]);
  const paid = await row('T9');
  for (const text of ['标准版', '续费', '¥26', '已支付', '已退 ¥6', '妈妈']) paid.getByText(text);
  paid.getByRole('button', { name: '订单 T9 退款' });
  expect((await row('T10')).queryByRole('button', { name: /退款$/ })).toBeNull();
  (await row('T11')).getByText('账号已删除');
  expect((await row('T11')).queryByRole('button', { name: /退款$/ })).toBeNull();
});

test('the details show payments and refunds', async () => {
  open();
  fireEvent.click((await row('T9')).getByRole('button', { name: '订单 T9 的详情' }));
  const dialog = within(await screen.findByRole('dialog'));
  for (const text of ['支付宝', 'P5', '2026112422', '退款 ¥6', '已退回', '补偿', 'root 操作']) dialog.getByText(text);
});

test('a full refund returns what is left, and says what it takes back', async () => {
  const calls = open([orderOf()], { [refund]: () => orderOf({ status: 'refunded', refunded_fen: 2_600 }) });
  fireEvent.click((await row('T9')).getByRole('button', { name: '订单 T9 退款' }));
  const dialog = within(await screen.findByRole('dialog'));
  dialog.getByText(/收回这次续费的天数/);
  fireEvent.change(dialog.getByLabelText('原因'), { target: { value: ' 不想用了 ' } });
  fireEvent.click(dialog.getByRole('button', { name: '退款 ¥20' }));
  await screen.findByText('已提交退款 ¥20');
  expect(calls.find(({ key }) => key === refund)?.input).toEqual({
    params: { id: 9 },
    body: { amount_fen: 2_000, reason: '不想用了', refunded_fen: 600 },
  });
});

test('a part needs an amount that is left, and takes nothing back', async () => {
  const calls = open([orderOf()], { [refund]: () => orderOf() });
  fireEvent.click((await row('T9')).getByRole('button', { name: '订单 T9 退款' }));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByRole('radio', { name: '部分' }));
  fireEvent.change(await dialog.findByLabelText('退款金额（元）'), { target: { value: '20.01' } });
  fireEvent.change(dialog.getByLabelText('原因'), { target: { value: '补偿' } });
  fireEvent.click(dialog.getByRole('button', { name: /^退款/ }));
  await dialog.findByText('请输入 0.01 到 ¥20 之间的金额');
  fireEvent.change(dialog.getByLabelText('退款金额（元）'), { target: { value: '0.29' } });
  await dialog.findByText('部分退款不收回任何东西，套餐和兑换码照常使用。');
  fireEvent.click(dialog.getByRole('button', { name: '退款 ¥0.29' }));
  await screen.findByText('已提交退款 ¥0.29');
  expect(calls.filter(({ key }) => key === refund).map(({ input }) => input)).toEqual([
    { params: { id: 9 }, body: { amount_fen: 29, reason: '补偿', refunded_fen: 600 } },
  ]);
});

test('without a reason nothing is refunded', async () => {
  const calls = open();
  fireEvent.click((await row('T9')).getByRole('button', { name: '订单 T9 退款' }));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByRole('button', { name: '退款 ¥20' }));
  await dialog.findByText('请填写原因');
  expect(calls.some(({ key }) => key === refund)).toBe(false);
});

test('orders are searched', async () => {
  const calls = open();
  fireEvent.change(await screen.findByLabelText('搜索单号、交易号或用户名'), { target: { value: 'T9' } });
  await expect.poll(() => calls.at(-1)?.input).toMatchObject({ query: { search: 'T9', offset: 0 } });
});
