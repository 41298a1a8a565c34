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

test('an app is offered by username, and taken back', async () => {
  const listed: CloudAppMember[] = [];
  const calls = open({
    [list]: () => [...listed],
    [add]() {
      listed.push({ id: 2, account: 'zhao', created_at: new Date().toISOString(), accepted_at: null });
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
  await screen.findByText('已向 zhao 发出共享，对方接受后就能打开');
  row.getByText('等待接受');
  fireEvent.click(row.getByRole('button', { name: '收回给 zhao 的共享' }));
  screen.getByText(/对方还没有接受/);
  const question = screen.getAllByRole('dialog').at(-1) ?? document.body;
  fireEvent.click(within(question).getByRole('button', { name: '收回' }));
  await waitFor(() => expect(screen.queryByRole('listitem', { name: 'zhao' })).toBeNull());
  expect(calls.filter(({ key }) => key !== list).map(({ key, input }) => [key, input])).toEqual([
    [add, { params: { id: 5 }, body: { account: 'zhao' } }],
    [remove, { params: { id: 5, member: 2 } }],
  ]);
});

test('a member who has accepted is named as one, and removed', async () => {
  const at = new Date().toISOString();
  const member: CloudAppMember = { id: 2, account: 'zhao', created_at: at, accepted_at: at };
  const calls = open({ [list]: () => [member], [add]: () => member, [remove]: () => ({ ok: true }) });
  const row = within(await screen.findByRole('listitem', { name: 'zhao' }));
  row.getByText('已接受');
  fireEvent.change(screen.getByLabelText('对方的用户名'), { target: { value: 'zhao' } });
  fireEvent.click(screen.getByRole('button', { name: '添加' }));
  await screen.findByText('zhao 已经是成员');
  fireEvent.click(row.getByRole('button', { name: '移除 zhao' }));
  screen.getByText(/正在进行的会话也会结束/);
  const question = screen.getAllByRole('dialog').at(-1) ?? document.body;
  fireEvent.click(within(question).getByRole('button', { name: '移除' }));
  await waitFor(() => expect(calls.map(({ key }) => key)).toContain(remove));
});

test('what the server refuses is reported at the field', async () => {
  const problem = { type: 'problem', status: 409, detail: '', fields: {}, requestId: '' } as const;
  open({
    [add]: () => {
      throw new ApiError({ ...problem, code: 'cloud-app.limit-reached', retryAfterSeconds: undefined });
    },
  });
  fireEvent.change(await screen.findByLabelText('对方的用户名'), { target: { value: 'nobody' } });
  fireEvent.click(screen.getByRole('button', { name: '添加' }));
  await screen.findByText('数量已达上限，请先删除不用的');
});
