import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import type { AuditEntry } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { pageOf, showToStaff } from '../testing/manage-fixtures.tsx';
import { factsOf } from './audit-facts.ts';
import { AuditPage } from './audit-page.tsx';

afterEach(cleanup);

function entryOf(given: Partial<AuditEntry>): AuditEntry {
  return {
    ...{
      id: 1,
      at: '2026-11-01T00:00:00.000Z',
      actor: 'root',
      actor_id: 1,
      ip: '203.0.113.7',
      action: 'user.disabled',
    },
    ...{ object_type: 'user', object_id: 3, object_name: '妈妈', before: {}, after: {} },
    ...given,
  };
}

const entries = [
  entryOf({
    action: 'product.changed',
    object_name: '标准版',
    before: { priceFen: 2_600, days: 365, listed: true, bandwidthBps: 4_000_000 },
    after: { priceFen: 2_900, days: 365, listed: false, bandwidthBps: 8_000_000 },
  }),
  entryOf({ id: 2, action: 'new.thing', actor: '', actor_id: null, ip: '', object_name: '' }),
];

function open() {
  return showToStaff(<AuditPage />, { 'GET /api/manage/audit/': () => pageOf(entries) });
}

test('an entry says who did what to whom; of a change it shows what is different', async () => {
  open();
  const row = within(await screen.findByRole('listitem', { name: '修改套餐 标准版' }));
  row.getByText('root');
  row.getByText('203.0.113.7');
  fireEvent.click(row.getByRole('button', { name: /^.+ 修改套餐 的详情$/ }));
  const dialog = within(await screen.findByRole('dialog'));
  dialog.getByRole('row', { name: '价格 ¥26 ¥29' });
  dialog.getByRole('row', { name: '上架 是 否' });
  dialog.getByRole('row', { name: '带宽 4 Mbit/s 8 Mbit/s' });
  expect(dialog.queryByText('天数')).toBeNull();
});

test('what happened by itself, and an action without a word here, are shown as well', async () => {
  open();
  const row = within(await screen.findByRole('listitem', { name: /^new\.thing/ }));
  row.getByText('系统自动');
});

test('entries are searched', async () => {
  const calls = open();
  fireEvent.change(await screen.findByLabelText('搜索操作人或对象名称'), { target: { value: '妈妈' } });
  await expect.poll(() => calls.at(-1)?.input).toMatchObject({ query: { search: '妈妈' } });
});

test('values are shown in words', () => {
  const after = {
    ...{ registration: 'closed', app_kinds: ['ssh'], provider: 'alipay', note: '', isStaff: true, mystery: 5 },
    tiers: [{ from: 10, percent: 90 }],
  };
  expect(factsOf({ before: {}, after })).toEqual([
    { field: '谁可以注册', before: '', after: '关闭注册' },
    { field: '远程应用', before: '', after: expect.not.stringMatching(/^ssh$/) },
    { field: '支付方式', before: '', after: '支付宝' },
    { field: '备注', before: '', after: '无' },
    { field: '管理员', before: '', after: '是' },
    { field: 'mystery', before: '', after: '5' },
    { field: '各档折扣', before: '', after: '起点 10 百分比 90' },
  ]);
});
