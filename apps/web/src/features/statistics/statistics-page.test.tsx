import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import type { Statistics, UsageFigures } from '@tongtu/contract';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { deviceOf, mappingOf } from '../../testing/device-fixtures.ts';
import { show } from '../../testing/show.tsx';
import { axisText, pointText } from './beijing-time.ts';
import { changeText } from './figure-cards.tsx';
import { liveChartsOf } from './live-charts.ts';
import { StatisticsPage } from './statistics-page.tsx';
import { readView, writeView } from './statistics-view.ts';
import { byUptime } from './uptime-list.tsx';

afterEach(cleanup);

const read = 'GET /api/user/statistics/';
const list = 'GET /api/user/routers/';
const devices = { count: 1, next: null, previous: null, results: [deviceOf({ mappings: [mappingOf()] })] };

function figuresOf(given: Partial<UsageFigures> = {}): UsageFigures {
  return {
    ...{ bytes_in: 0, bytes_out: 0, requests: 0, ok: 0, client_errors: 0, server_errors: 0, failed: 0 },
    ...{ visitors: 0, networks: 0, is_exact: true, p50_ms: null, p95_ms: null },
    ...given,
  };
}

function statisticsOf(total: UsageFigures, given: Partial<Statistics> = {}): Statistics {
  const from = '2026-11-24T11:00:00.000Z';
  return {
    ...{ from, to: '2026-11-24T13:00:00.000Z', total, previous: figuresOf() },
    points: [
      { at: from, ...figuresOf() },
      { at: '2026-11-24T12:00:00.000Z', ...total },
    ],
    ...{ top_mappings: [], top_visitors: [], top_places: [], uptime_from: from, uptime: [] },
    ...given,
  };
}

test('figures, what is behind a chart, the top lists and the time online are readable without the charts', async () => {
  const total = figuresOf({
    bytes_out: 2048,
    requests: 12,
    ok: 11,
    failed: 1,
    visitors: 300,
    is_exact: false,
    p50_ms: 1500,
  });
  const statistics = statisticsOf(total, {
    previous: figuresOf({ requests: 10 }),
    top_mappings: [{ mapping: 3, router: 7, bytes: 2048, requests: 12 }],
    top_visitors: [
      { who: '', granted_by: 'password', requests: 3 },
      { who: null, granted_by: null, requests: 2 },
    ],
    top_places: [{ place: '', requests: 12 }],
    uptime: [{ router: 7, name: '家里的群晖', share: 0.9996, bars: [null, 0.5] }],
  });
  show(<StatisticsPage />, { [read]: () => statistics, [list]: () => devices }, { at: '/statistics' });
  await screen.findByText('比上一周期多 20%');
  expect(screen.getAllByText('约 300').length).toBeGreaterThan(0);
  expect(screen.getByRole('link', { name: 'nas.localhost' }).getAttribute('href')).toBe(
    '/statistics?device=7&mapping=3',
  );
  for (const text of ['使用访问密码的访客', '验证记录已删除的访客', '未知地点', '99.9%'])
    expect(screen.getAllByText(text)).not.toEqual([]);
  expect(screen.getByText('11-24 20:00（50%）')).toBeTruthy();

  const chart = screen.getByRole('region', { name: '请求' });
  const details = chart.querySelector('details') as HTMLDetailsElement; // each chart has one
  details.open = true;
  fireEvent(details, new Event('toggle'));
  const rows = within(within(chart).getByRole('table')).getAllByRole('row');
  expect(rows.map((row) => row.textContent)).toEqual([
    '时间（北京时间）成功请求有误 4xx服务出错 5xx未完成',
    '11-24 20:0011001',
    '11-24 19:000000',
  ]);
});

test('the unit, the range and the mapping are asked for as the address says, and live figures by their own call', async () => {
  const live = { from: '2026-11-24T12:00:00.000Z', step_ms: 2_000, points: [] };
  const calls = show(
    <StatisticsPage />,
    { [read]: () => statisticsOf(figuresOf()), [list]: () => devices, 'GET /api/user/statistics/live/': () => live },
    { at: '/statistics?unit=day&points=90&mapping=3' },
  );
  await screen.findByText('这段时间没有访问');
  const queries = calls.filter(({ key }) => key === read).map(({ input }) => (input as { query: unknown }).query);
  expect(queries).toEqual([{ unit: 'day', points: 90, mapping: 3 }]);
  fireEvent.click(screen.getByText('实时'));
  await screen.findByRole('region', { name: '每秒流量' });
});

test('earlier periods can be reached, and the present one again', async () => {
  // Hours are kept for a while only.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-24T12:30:00.000Z') });
  onTestFinished(() => void vi.useRealTimers());
  const calls = show(
    <StatisticsPage />,
    { [read]: () => statisticsOf(figuresOf()), [list]: () => devices },
    { at: '/statistics' },
  );
  const earlier = await screen.findByRole('button', { name: '更早' });
  expect(screen.getByRole('button', { name: '更晚' }).hasAttribute('disabled')).toBe(true);
  expect(screen.getByText('11-24 19:00 至 11-24 20:00')).toBeTruthy();
  fireEvent.click(earlier);
  fireEvent.click(await screen.findByRole('button', { name: '回到现在' }));
  expect(screen.queryByRole('button', { name: '回到现在' })).toBeNull();
  const asked = calls.flatMap(({ key, input }) =>
    key === read ? [(input as { query: { until?: string } }).query.until] : [],
  );
  expect(asked.slice(0, 2)).toEqual([undefined, '2026-11-24T10:59:59.999Z']);
});

test('without devices there is a way to add one, and statistics of what is not there lead back to all', async () => {
  const refuse = () => {
    throw new Error('refused');
  };
  show(<StatisticsPage />, { [read]: refuse, [list]: () => devices }, { at: '/statistics?device=9' });
  await screen.findByText('统计加载失败');
  fireEvent.click(screen.getByRole('button', { name: '查看全部设备' }));
  expect(screen.queryByRole('button', { name: '查看全部设备' })).toBeNull();
  cleanup();
  show(<StatisticsPage />, { [read]: refuse, [list]: () => ({ ...devices, results: [] }) }, { at: '/statistics' });
  await screen.findByText('还没有设备');
  expect(screen.getByRole('link', { name: '前往我的设备' })).toBeTruthy();
});

test.each([
  [12, 10, '比上一周期多 20%'],
  [5, 10, '比上一周期少 50%'],
  [100_001, 100_000, '比上一周期多 0.1%'],
  [120, 10, '是上一周期的 12 倍'],
  [3, 0, '上一周期没有'],
  [0, 0, '与上一周期持平'],
  [null, 4, '没有可比的数据'],
])('%s after %s is in words: %s', (now, before, text) => {
  expect(changeText(now, before)).toBe(text);
});

test('an address keeps a view, and one that somebody has edited has the nearest', () => {
  const until = '2026-01-31T16:00:00.000Z';
  const view = { unit: 'day', points: 365, until, router: 7, mapping: 3 } as const;
  expect(readView(writeView(view))).toEqual(view);
  expect(writeView(readView(new URLSearchParams())).toString()).toBe('');
  const edited = new URLSearchParams('unit=month&points=9999&until=3026-01-01&device=-1&mapping=x');
  const nearest = { unit: 'month', points: 12, until: undefined, router: undefined, mapping: undefined };
  expect(readView(edited)).toEqual(nearest);
});

test('times are those of Beijing, whatever the browser has', () => {
  const midnight = Date.parse('2026-11-23T16:00:00.000Z');
  expect([pointText('hour', midnight), pointText('day', midnight), pointText('month', midnight)]).toEqual([
    '11-24 00:00',
    '2026-11-24',
    '2026-11',
  ]);
  expect([axisText(midnight / 1_000, 7_200), axisText(midnight / 1_000 + 3_600, 3_600)]).toEqual(['11-24', '01:00']);
});

test('live rates are the mean of three steps, and that of the last ten seconds', () => {
  const points = [0, 0, 600, 0, 0].map((bytes) => ({ bytes_in: 0, bytes_out: bytes, requests: 0, errors: 0 }));
  const [traffic] = liveChartsOf(points, 2_000);
  expect(traffic?.series[0]?.values).toEqual([0, 0, 100, 100, 100]);
  expect(traffic?.series[0]?.total).toBe('60 B/秒');
});

test('devices that were away most come first, those without data last', () => {
  const shares = [1, null, 0.2].map((share, router) => ({ router, name: '', share, bars: [] }));
  expect(byUptime(shares).map(({ router }) => router)).toEqual([2, 0, 1]);
});
