import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../../../api/index.ts';
import { setUpTimes } from '../../../text/time.ts';
import { showToStaff } from '../testing/manage-fixtures.tsx';
import { JobsPage } from './jobs-page.tsx';
import { LedgerPage } from './ledger-page.tsx';

setUpTimes();
afterEach(cleanup);

const check = 'GET /api/manage/ledger/check/';
const at = '2026-11-01T00:00:00.000Z';
const fine = { next_run_at: at, last_started_at: at, last_finished_at: at, last_error: null, is_running: false };

test('a job says how often it runs, and its last error', async () => {
  showToStaff(<JobsPage />, {
    'GET /api/manage/jobs/': () => [
      { ...fine, name: 'send refunds', every_seconds: 5 },
      { ...fine, name: 'compare bills', every_seconds: 1_800, last_error: 'connect ECONNREFUSED' },
      { ...fine, name: 'check the ledger', every_seconds: 86_400, last_started_at: null, last_finished_at: null },
      { ...fine, name: 'something new', every_seconds: 90, is_running: true },
    ],
  });
  const row = async (name: string) => within(await screen.findByRole('listitem', { name }));
  (await row('提交退款')).getByText('每 5 秒一次');
  (await row('提交退款')).getByText('正常');
  (await row('与支付平台核对账单')).getByText('错误：connect ECONNREFUSED');
  (await row('与支付平台核对账单')).getByText('上次出错');
  (await row('核对账目')).getByText('还没有执行过');
  (await row('核对账目')).getByText('每 24 小时一次');
  (await row('something new')).getByText('正在执行');
});

test('the ledger is checked when somebody asks', async () => {
  const accounts = [
    { account: 'alipay', balance_fen: 2_600 },
    { account: 'sales', balance_fen: -2_600 },
  ];
  const calls = showToStaff(<LedgerPage />, {
    [check]: () => ({ balanced: true, accounts, problems: [], checked_at: at }),
  });
  await screen.findByText('点击“立即核对”查看结果。');
  expect(calls.some(({ key }) => key === check)).toBe(false);
  fireEvent.click(screen.getByRole('button', { name: '立即核对' }));
  await screen.findByText('账目平衡');
  screen.getByRole('row', { name: '支付宝 ¥26' });
  screen.getByRole('row', { name: '销售收入 -¥26' });
});

test('what does not balance is listed', async () => {
  const problems = ['科目余额不一致：支付宝，应为 26.00，实际 25.00'];
  showToStaff(<LedgerPage />, { [check]: () => ({ balanced: false, accounts: [], problems, checked_at: at }) });
  fireEvent.click(await screen.findByRole('button', { name: '立即核对' }));
  await screen.findByText('账目对不上');
  screen.getByText(/应为 26\.00/);
  screen.getByText('还没有任何账目。');
});

test('a check that failed says so', async () => {
  showToStaff(<LedgerPage />, {
    [check]: () => {
      throw new ApiError({ type: 'network' });
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: '立即核对' }));
  await screen.findByText('核对没有完成');
});
