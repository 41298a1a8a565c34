import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../../../api/index.ts';
import { AuditPage } from '../audit/audit-page.tsx';
import { ManagedDevicesPage } from '../devices/managed-devices-page.tsx';
import { JobsPage } from '../operation/jobs-page.tsx';
import { LedgerPage } from '../operation/ledger-page.tsx';
import { ManagedOrdersPage } from '../orders/managed-orders-page.tsx';
import { ManagedProductsPage } from '../products/products-page.tsx';
import { SiteEntriesPage } from '../site/site-entries-page.tsx';
import { pageOf, showToStaff } from '../testing/manage-fixtures.tsx';

afterEach(cleanup);

const answers = {
  'GET /api/manage/products/': () => pageOf([]),
  'GET /api/manage/bulk_products/': () => pageOf([]),
  'GET /api/manage/orders/': () => pageOf([]),
  'GET /api/manage/devices/': () => pageOf([]),
  'GET /api/manage/audit/': () => pageOf([]),
  'GET /api/manage/site_entries/': () => [],
  'GET /api/manage/jobs/': () => [],
};
const everyPage = [
  ['套餐管理', <ManagedProductsPage key="1" />],
  ['订单管理', <ManagedOrdersPage key="2" />],
  ['账目核对', <LedgerPage key="3" />],
  ['设备管理', <ManagedDevicesPage key="4" />],
  ['审计日志', <AuditPage key="5" />],
  ['横幅与交流', <SiteEntriesPage key="7" />],
  ['后台任务', <JobsPage key="6" />],
] as const;
const pagesOfShop = everyPage.slice(0, 3);
const otherPages = everyPage.slice(3);

const places = async () => {
  const nav = await screen.findByRole('navigation', { name: '管理' });
  return within(nav)
    .getAllByRole('link')
    .map(({ textContent }) => textContent);
};

test.each(everyPage)('staff see %s, and from there the other screens', async (title, page) => {
  showToStaff(page, answers);
  await screen.findByRole('heading', { level: 1, name: title });
  await screen.findByRole('link', { name: '订单' });
  expect(await places()).toEqual([
    '用户',
    '设备',
    '套餐',
    '订单',
    '渠道与兑换码',
    '账目核对',
    '横幅与交流',
    '审计日志',
    '任务',
  ]);
});

test.each(everyPage)('who is no staff is led away from %s', async (title, page) => {
  const calls = showToStaff(page, answers, { is_staff: false });
  await screen.findByText('首页');
  expect(screen.queryByRole('heading', { name: title })).toBeNull();
  expect(calls.some(({ key }) => key.includes('/manage/'))).toBe(false);
});

test.each(pagesOfShop)('without billing there is no %s', async (_title, page) => {
  const calls = showToStaff(page, answers, { billing: 'off' });
  await screen.findByText('首页');
  expect(calls.some(({ key }) => key.includes('/manage/'))).toBe(false);
});

test.each(otherPages)('without billing %s leads to no screen of the shop', async (_title, page) => {
  showToStaff(page, answers, { billing: 'off' });
  expect(await places()).toEqual(['用户', '设备', '横幅与交流', '审计日志', '任务']);
});

test('a list that cannot be loaded says so, and is asked for again', async () => {
  let isDown = true;
  showToStaff(<ManagedOrdersPage />, {
    'GET /api/manage/orders/': () => {
      if (isDown) throw new ApiError({ type: 'network' });
      return pageOf([]);
    },
  });
  await screen.findByText('订单加载失败');
  isDown = false;
  fireEvent.click(screen.getByRole('button', { name: '重试' }));
  await screen.findByText('没有找到记录');
});

test('further pages are asked for', async () => {
  const calls = showToStaff(<AuditPage />, { 'GET /api/manage/audit/': () => pageOf([], 120) });
  fireEvent.click(await screen.findByTitle('2'));
  await expect.poll(() => calls.at(-1)?.input).toMatchObject({ query: { limit: 50, offset: 50 } });
});
