import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { CloudAppMember } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../../../api/index.ts';
import { appOf } from '../../../testing/app-fixtures.ts';
import { show } from '../../../testing/show.tsx';
import { setUpTimes } from '../../../text/time.ts';
import { AppMembersDialog } from './app-members-dialog.tsx';

setUpTimes();
afterEach(cleanup);

const list = 'GET /api/user/cloud_apps/{id}/members/';
const add = 'POST /api/user/cloud_apps/{id}/members/';
const remove = 'DELETE /api/user/cloud_apps/{id}/members/{member}/';

const open = (answers: Parameters<typeof show>[1]) =>
  show(<AppMembersDialog app={appOf()} onClose={() => undefined} />, { [list]: () => [], ...answers });

test('a member is added by username and removed again', async () => {
  const listed: CloudAppMember[] = [];
  const calls = open({
    [list]: () => [...listed],
    [add]() {
      listed.push({ id: 2, account: 'zhao', created_at: new Date().toISOString() });
      return listed[0];
    },
    [remove]() {
      listed.pop();
      return { ok: true };
    },
  });
  await screen.findByText('还没有成员');
  fireEvent.click(screen.getByRole('button', { name: '添加' }));
  await screen.findByText('请输入对方的用户名');
  fireEvent.change(screen.getByLabelText('对方的用户名'), { target: { value: ' zhao ' } });
  fireEvent.click(screen.getByRole('button', { name: '添加' }));
  const row = within(await screen.findByRole('listitem', { name: 'zhao' }));
  await screen.findByText('已添加 zhao');
  fireEvent.click(row.getByRole('button', { name: '移除 zhao' }));
  screen.getByText(/正在进行的会话也会结束/);
  const question = screen.getAllByRole('dialog').at(-1) ?? document.body;
  fireEvent.click(within(question).getByRole('button', { name: '移除' }));
  await waitFor(() => expect(screen.queryByRole('listitem', { name: 'zhao' })).toBeNull());
  expect(calls.filter(({ key }) => key !== list).map(({ key, input }) => [key, input])).toEqual([
    [add, { params: { id: 5 }, body: { account: 'zhao' } }],
    [remove, { params: { id: 5, member: 2 } }],
  ]);
});

test('an unknown account is reported at the field', async () => {
  const problem = { type: 'problem', status: 404, detail: '', fields: {}, requestId: '' } as const;
  open({
    [add]: () => {
      throw new ApiError({ ...problem, code: 'cloud-app.member-unknown', retryAfterSeconds: undefined });
    },
  });
  fireEvent.change(await screen.findByLabelText('对方的用户名'), { target: { value: 'nobody' } });
  fireEvent.click(screen.getByRole('button', { name: '添加' }));
  await screen.findByText('没有这个账号，请核对对方的用户名');
});
