import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { Visit, VisitList } from '@tongtu/contract';
import { Route, Routes } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import { show } from '../../testing/show.tsx';
import { readablePath } from './readable-path.ts';
import { putBefore } from './use-visits.ts';
import { VisitsPage } from './visits-page.tsx';

afterEach(cleanup);

const list = 'GET /api/user/records/{id}/visits/';
const patch = 'PATCH /api/user/records/{id}/';

function visitOf(id: number, given: Partial<Visit> = {}): Visit {
  return {
    ...{
      id,
      at: new Date().toISOString(),
      ms: 12,
      ip: '203.0.113.7',
      place: '广东省深圳市',
      who: 'member',
      who_name: 'lily',
    },
    ...{ outcome: 'served', reason: '', method: 'GET', path: `/p${id}`, status: 200, bytes_in: 100, bytes_out: 2048 },
    ...{ browser: 'Chrome · Windows', user_agent: '<b>' },
    ...given,
  };
}

function listOf(results: Visit[], given: Partial<VisitList> = {}): VisitList {
  return {
    mapping: { id: 3, kind: 'http', domain: 'nas.localhost', remark: '' },
    ...{ visit_log_days: 7, results, has_more: false, unrecorded: { denied: 0, others: 0 } },
    ...given,
  };
}

type Asked = { query: { after?: number; before?: number } };

const page = (
  <Routes>
    <Route path="/visits/:id" element={<VisitsPage />} />
  </Routes>
);

test('visits are shown harmlessly, older ones are loaded, and new ones come on top', async () => {
  const denied = visitOf(8, { outcome: 'denied', reason: 'outside-hours', status: 403, path: '/<b>%E4%BD%A0' });
  const sentToLogin = visitOf(2, { outcome: 'denied', reason: 'needs-verification', status: 302 });
  const calls = show(
    page,
    {
      [list]: (input) => {
        const { after, before } = (input as Asked).query;
        if (after !== undefined) return listOf(after < 9 ? [visitOf(9)] : []);
        return before === undefined ? listOf([denied], { has_more: true }) : listOf([sentToLogin]);
      },
    },
    { at: '/visits/3' },
  );
  await screen.findByText('/<b>你');
  expect(screen.getByText('不在开放时段')).toBeTruthy();
  await screen.findByText('/p9');
  fireEvent.click(screen.getByRole('button', { name: '加载更早的访问' }));
  await screen.findByText('/p2');
  expect(screen.getByText('待登录')).toBeTruthy();
  expect(screen.getByText('被拒绝 403')).toBeTruthy();
  expect(screen.getByText('没有更早的访问了')).toBeTruthy();
  expect(calls.some(({ input }) => (input as Asked).query.before === 8)).toBe(true);
});

test('a log that is off is switched on here for seven days, and what was not recorded is said', async () => {
  let days: 0 | 7 = 0;
  const calls = show(
    page,
    {
      [list]: () => listOf([], { visit_log_days: days, unrecorded: { denied: 3, others: days } }),
      [patch]: () => {
        days = 7;
        return {};
      },
    },
    { at: '/visits/3' },
  );
  fireEvent.click(await screen.findByRole('button', { name: '开启访问日志' }));
  await screen.findByText('还没有访问');
  expect(calls.find(({ key }) => key === patch)?.input).toEqual({ params: { id: 3 }, body: { visit_log_days: 7 } });
  await waitFor(() =>
    expect(screen.getByText('访问过于频繁，另有 10 条未记录，其中 3 条是被拒绝的访问。')).toBeTruthy(),
  );
});

test('a page that follows a busy log stays bounded, without a gap and without a visit twice', () => {
  const first = listOf(Array.from({ length: 480 }, (_, index) => visitOf(480 - index)));
  const data = { pages: [first], pageParams: [undefined] };
  const more = putBefore(data, listOf([visitOf(481), visitOf(480)]));
  expect(more.pages[0]?.results.slice(0, 2).map(({ id }) => id)).toEqual([481, 480]);
  const many = putBefore(data, listOf(Array.from({ length: 100 }, (_, index) => visitOf(580 - index))));
  expect(many.pages[0]?.results.map(({ id }) => id)).toEqual(Array.from({ length: 500 }, (_, index) => 580 - index));
  expect(many.pages[0]?.has_more).toBe(true);
});

test.each([
  ['/%E7%85%A7%E7%89%87/a%20b', '/照片/a b'],
  ['/a%2Fb', '/a%2Fb'],
  ['/%ff', '/%ff'],
  ['/%E2%80%AEgpj.exe', '/%E2%80%AEgpj.exe'],
  ['/%00', '/%00'],
])('the path %s is shown as %s', (path, shown) => {
  expect(readablePath(path)).toBe(shown);
});
