import type { Statistics } from '@tongtu/contract';
import type { Page } from 'playwright-core';
import { DEVICE_NAME, type Screen, visit } from './screen-steps.ts';

const hourMs = 3_600_000;
const firstMs = Date.parse('2026-11-23T12:00:00.000Z');
const iso = (hours: number) => new Date(firstMs + hours * hourMs).toISOString();

function figuresOf(requests: number): Statistics['total'] {
  return {
    ...{ bytes_in: requests * 900, bytes_out: requests * 48_000, requests, ok: requests - 2, client_errors: 1 },
    ...{ server_errors: 1, failed: 0, visitors: 3, networks: 300, is_exact: false, p50_ms: 20, p95_ms: 1_200 },
  };
}

const statistics: Statistics = {
  ...{ from: iso(0), to: iso(24), total: figuresOf(24_000), previous: figuresOf(1_000) },
  points: Array.from({ length: 24 }, (_, hour) => ({ at: iso(hour), ...figuresOf(20 + ((hour * 7) % 24)) })),
  top_mappings: [{ mapping: 1, router: 1, bytes: 48_000, requests: 24 }],
  top_visitors: [
    { who: '13800138000', granted_by: 'member', requests: 12 },
    { who: '', granted_by: 'password', requests: 3 },
  ],
  top_places: [{ place: '广东省深圳市', requests: 24 }],
  uptime_from: iso(0),
  uptime: [
    {
      ...{ router: 1, name: DEVICE_NAME, share: 0.97 },
      bars: Array.from({ length: 24 }, (_, hour) => [1, 0.97, 0.5, null][hour < 20 ? 0 : hour % 4] ?? null),
    },
  ],
};

async function mockStatistics(page: Page): Promise<void> {
  await page.route('**/api/user/statistics/?*', (route) => route.fulfill({ json: statistics }));
}

export const statisticsScreens: Screen[] = [
  {
    name: 'statistics',
    differsBySize: true,
    async open(page, at) {
      await mockStatistics(page);
      await visit(page, at, '#/statistics', '请求最多的访客');
      await page.getByRole('region', { name: '流量', exact: true }).locator('canvas').waitFor();
      await page.getByText('查看数据').first().click();
    },
  },
  {
    name: 'statistics-live',
    open: async (page, at) => await visit(page, at, '#/statistics?unit=live', '每秒流量'),
  },
];
