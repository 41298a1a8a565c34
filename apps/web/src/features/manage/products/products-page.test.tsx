import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import type { ManagedProduct } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { pageOf, showToStaff } from '../testing/manage-fixtures.tsx';
import { ManagedProductsPage } from './products-page.tsx';

afterEach(cleanup);

const product: ManagedProduct = {
  ...{ id: 2, name: '标准版', description: '家用', days: 365, bandwidth_bps: 4_000_000, mapping_limit: 12 },
  ...{ app_kinds: ['ssh'], price_fen: 2_610, listed: true, position: 3, sold_count: 5 },
  updated_at: '2026-11-01T00:00:00.000Z',
};
const bulk = { id: 7, product, tiers: [{ from: 10, percent: 90 }], listed: true };
const create = 'POST /api/manage/products/';
const change = 'PATCH /api/manage/products/{id}/';

function open(answers: Parameters<typeof showToStaff>[1] = {}) {
  return showToStaff(<ManagedProductsPage />, {
    'GET /api/manage/products/': () => pageOf([product]),
    'GET /api/manage/bulk_products/': () => pageOf([bulk]),
    ...answers,
  });
}

const row = async (name: string) => within(await screen.findByRole('listitem', { name }));
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

test('a product shows its price, terms and how often it was sold', async () => {
  open();
  const shown = await row('标准版');
  for (const text of ['¥26.10 / 1 年', '在售', '带宽 4 Mbit/s', '12 条域名映射', '卖出 5 份', '家用'])
    shown.getByText(text);
});

test('a new product is sent in 分 and bit/s', async () => {
  const calls = open({ [create]: () => product });
  fireEvent.click(await screen.findByRole('button', { name: '新建套餐' }));
  await screen.findByRole('dialog');
  type('名称', ' 家庭版 ');
  type('有效天数', '30');
  type('价格（元）', '19.99');
  type('带宽（Mbit/s）', '1.5');
  type('域名映射条数', '5');
  fireEvent.click(screen.getByRole('button', { name: '保存' }));
  await screen.findByText('“标准版”已保存');
  expect(calls.find(({ key }) => key === create)?.input).toMatchObject({
    body: {
      ...{ name: '家庭版', days: 30, price_fen: 1_999, bandwidth_bps: 1_500_000, mapping_limit: 5 },
      ...{ listed: true, position: 0, description: '' },
    },
  });
});

test('a change sends nothing but itself: what was changed elsewhere meanwhile stays', async () => {
  const calls = open({ [change]: () => product });
  fireEvent.click(await screen.findByRole('button', { name: '修改“标准版”' }));
  await screen.findByRole('dialog');
  type('价格（元）', '19.99');
  fireEvent.click(screen.getByRole('button', { name: '保存' }));
  await screen.findByText('“标准版”已保存');
  expect(calls.find(({ key }) => key === change)?.input).toEqual({ params: { id: 2 }, body: { price_fen: 1_999 } });
});

test.each([
  ['价格（元）', '-1', '请输入 0 到 1000000 之间的数'],
  ['有效天数', '731', '请输入 1 到 730 之间的数'],
  ['名称', '  ', '请输入名称'],
])('%s cannot be %s', async (label, value, problem) => {
  const calls = open();
  fireEvent.click(await screen.findByRole('button', { name: '修改“标准版”' }));
  await screen.findByRole('dialog');
  type(label, value);
  fireEvent.click(screen.getByRole('button', { name: '保存' }));
  await screen.findByText(problem);
  expect(calls.some(({ key }) => key === change)).toBe(false);
});

test('a product is taken off the shelf after a question', async () => {
  const calls = open({ [change]: () => ({ ...product, listed: false }) });
  fireEvent.click((await row('标准版')).getByRole('button', { name: '下架“标准版”' }));
  const question = within(await screen.findByRole('dialog'));
  question.getByText(/已经买了的可以用到期满/);
  fireEvent.click(question.getByRole('button', { name: '下架' }));
  await screen.findByText('“标准版”已下架');
  expect(calls.find(({ key }) => key === change)?.input).toEqual({ params: { id: 2 }, body: { listed: false } });
});

test('the tiers of a bulk price are changed, each quantity once', async () => {
  const save = 'PATCH /api/manage/bulk_products/{id}/';
  const calls = open({ [save]: () => bulk });
  (await row('批量价格 标准版')).getByText('10 个起按原价的 90%');
  fireEvent.click(screen.getByRole('button', { name: '修改“标准版”的批量价格' }));
  await screen.findByRole('dialog');
  fireEvent.click(screen.getByRole('button', { name: '添加一档' }));
  type('第 2 档数量起点', '10');
  type('第 2 档按原价的百分之几', '80');
  fireEvent.click(screen.getByRole('button', { name: '保存' }));
  await screen.findByText('两档的数量起点不能相同');
  type('第 2 档数量起点', '100');
  fireEvent.click(screen.getByRole('button', { name: '保存' }));
  await screen.findByText('“标准版”已保存');
  expect(calls.find(({ key }) => key === save)?.input).toEqual({
    params: { id: 7 },
    body: {
      tiers: [
        { from: 10, percent: 90 },
        { from: 100, percent: 80 },
      ],
    },
  });
});
