import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { show } from '../../../testing/show.tsx';
import { setUpTimes } from '../../../text/time.ts';
import { sessionOf } from '../testing/account-fixtures.ts';
import { SessionsSection } from './sessions-section.tsx';

setUpTimes();
afterEach(cleanup);

const list = 'GET /api/user/sessions/';
const one = 'DELETE /api/user/sessions/{id}/';
const others = 'DELETE /api/user/sessions/';

test('this browser comes first and cannot be ended here; another one is ended at once', async () => {
  let sessions = [sessionOf(2), sessionOf(3), sessionOf(1, { is_current: true, place: '局域网' })];
  const calls = show(<SessionsSection />, {
    [list]: () => sessions,
    [one]: () => {
      sessions = sessions.filter(({ id }) => id !== 3);
      return { ok: true };
    },
  });
  await screen.findByText('浏览器 1');
  expect(screen.getAllByText(/^浏览器/).map(({ firstChild }) => firstChild?.textContent)).toEqual([
    '浏览器 1',
    '浏览器 3',
    '浏览器 2',
  ]);
  screen.getByText('局域网');
  expect(screen.getAllByRole('button', { name: /^退出 / })).toHaveLength(2);

  fireEvent.click(screen.getByRole('button', { name: '退出 浏览器 3' }));
  await waitFor(() => expect(screen.queryByText('浏览器 3')).toBeNull());
  expect(calls.find(({ key }) => key === one)?.input).toEqual({ params: { id: 3 } });
  await screen.findByText('已退出 浏览器 3');
});

test('all other sessions are ended after a question', async () => {
  let sessions = [sessionOf(1, { is_current: true }), sessionOf(2)];
  const calls = show(<SessionsSection />, {
    [list]: () => sessions,
    [others]: () => {
      sessions = sessions.slice(0, 1);
      return { ok: true };
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: '退出其他全部登录' }));
  const question = await screen.findByRole('dialog', { name: '退出其他全部登录？' });
  expect(calls.some(({ key }) => key === others)).toBe(false);
  fireEvent.click(within(question).getByRole('button', { name: '退出其他全部登录' }));
  await screen.findByText('没有其他登录');
});
