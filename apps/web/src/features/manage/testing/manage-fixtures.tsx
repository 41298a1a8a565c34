import type { ReactNode } from 'react';
import { Route, Routes } from 'react-router';
import { show } from '../../../testing/show.tsx';

type Answers = Parameters<typeof show>[1];

/** Shows a screen of the management to staff, or to somebody else. */
export function showToStaff(
  page: ReactNode,
  answers: Answers,
  { billing = 'on', is_staff = true }: { billing?: 'on' | 'off'; is_staff?: boolean } = {},
) {
  const me = { id: 1, username: 'staff', token: 'tt_x', is_staff, is_promoter: false, is_superuser: false };
  return show(
    <Routes>
      <Route path="/manage/screen" element={page} />
      <Route path="/" element={<p>首页</p>} />
    </Routes>,
    { 'GET /api/site/config/': () => ({ billing }), 'GET /api/profile/': () => [me], ...answers },
    { at: '/manage/screen' },
  );
}

export function pageOf<Row>(results: Row[], count = results.length) {
  return { count, next: null, previous: null, results };
}
