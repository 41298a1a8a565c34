import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { CloudAppSession } from '@tongtu/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { durationText } from '../../../text/cloud-apps/app-sessions.ts';
import { show } from '../../../testing/show.tsx';
import { AppSessionsDialog } from './app-sessions-dialog.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const list = 'GET /api/user/cloud_app_sessions/';
const end = 'DELETE /api/user/cloud_app_sessions/{id}/';

function sessionOf(id: number, given: Partial<CloudAppSession> = {}): CloudAppSession {
  return {
    ...{ id, app: 5, app_name: `应用${id}`, kind: 'ssh', router_name: '家', account: 'zhao', is_own: false },
    ...{ ip: '203.0.113.9', user_agent: 'Firefox', started_at: '2026-11-23T08:00:00.000Z' },
    ...{
      ended_at: null,
      end_reason: null,
      kept_until: null,
      can_be_resumed: false,
      bytes_in: 2048,
      bytes_out: 1_048_576,
    },
    ...given,
  };
}

function open(sessions: CloudAppSession[], count = sessions.length) {
  return show(<AppSessionsDialog onClose={() => undefined} />, {
    [list]: () => ({ count, next: null, previous: null, results: sessions }),
    [end]: () => ({ ok: true }),
  });
}

test('a session says who opened what, from where, how long and how much', async () => {
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-23T09:05:00.000Z'));
  open([sessionOf(1), sessionOf(2, { is_own: true, ended_at: '2026-11-23T08:00:45.000Z', end_reason: 'right-ended' })]);
  const first = within(await screen.findByRole('listitem', { name: '应用1' }));
  for (const text of [
    '账号 zhao',
    '203.0.113.9',
    '家',
    'SSH 终端',
    '已用时 1 小时 5 分钟',
    '发送 2.0 KB，接收 1.0 MB',
  ]) {
    first.getByText(text);
  }
  const second = within(await screen.findByRole('listitem', { name: '应用2' }));
  for (const text of ['您', '用时 45 秒', '访问权限失效', '已结束']) second.getByText(text);
  expect(second.queryByRole('button', { name: /^结束/ })).toBeNull();
});

test('an open session is ended by its button', async () => {
  const calls = open([sessionOf(1)]);
  fireEvent.click(await screen.findByRole('button', { name: '结束 zhao 打开的 应用1' }));
  await screen.findByText('会话已结束');
  expect(calls.find(({ key }) => key === end)?.input).toEqual({ params: { id: 1 } });
});

test('only open sessions are asked for on request, and further pages', async () => {
  const calls = open([sessionOf(1)], 25);
  await screen.findByRole('listitem', { name: '应用1' });
  fireEvent.click(screen.getByTitle('2'));
  await waitFor(() => expect(calls.at(-1)?.input).toMatchObject({ query: { limit: 20, offset: 20 } }));
  fireEvent.click(screen.getByText('进行中', { selector: '.ant-segmented-item-label' }));
  await waitFor(() => expect(calls.at(-1)?.input).toMatchObject({ query: { limit: 20, offset: 0, open: 'true' } }));
});

test.each([
  [0, '0 秒'],
  [59.9, '59 秒'],
  [60, '1 分钟'],
  [3600, '1 小时'],
  [90_061, '25 小时 1 分钟'],
])('%d seconds are %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});

test('a terminal whose page is closed says until when it runs on, and this login can go on with it', async () => {
  const keptUntil = '2026-11-23T08:10:00.000Z';
  open([sessionOf(1, { kept_until: keptUntil, can_be_resumed: true }), sessionOf(2, { kept_until: keptUntil })]);
  const first = within(await screen.findByRole('listitem', { name: '应用1' }));
  first.getByText('页面已关闭');
  first.getByText(/^仍在运行，.* 结束$/);
  expect(first.getByRole('link', { name: '继续 应用1' }).getAttribute('href')).toBe('#/apps/5?resume=1');
  expect(within(screen.getByRole('listitem', { name: '应用2' })).queryByRole('link')).toBeNull();
});
