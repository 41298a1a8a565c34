import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { AccessRequest } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { show } from '../../../testing/show.tsx';
import { setUpTimes } from '../../../text/time.ts';
import { AccessRequests } from './access-requests.tsx';

setUpTimes();
afterEach(cleanup);

const list = 'GET /api/user/access_requests/';
const allow = 'POST /api/user/access_requests/{id}/allow/';
const refuse = 'DELETE /api/user/access_requests/{id}/';

const requestOf = (id: number, given: Partial<AccessRequest> = {}): AccessRequest => ({
  ...{ id, mapping: 3, router: 1, domain: 'nas.localhost', account: `friend-${id}`, message: '' },
  ...{ created_at: new Date().toISOString(), ...given },
});

test('a request shows who asks for what, and is allowed until the member is removed', async () => {
  let requests = [requestOf(1, { message: '我是小王' })];
  const calls = show(<AccessRequests />, {
    [list]: () => requests,
    [allow]: () => {
      requests = [];
      return { ok: true };
    },
  });
  const row = within(await screen.findByRole('listitem', { name: 'friend-1 申请访问 nas.localhost' }));
  row.getByText('留言：我是小王');
  fireEvent.click(row.getByRole('button', { name: '允许 friend-1 访问 nas.localhost' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: /访问申请/ })).toBeNull());
  expect(calls.find(({ key }) => key === allow)).toMatchObject({
    input: { params: { id: 1 }, body: { valid_hours: null } },
  });
});

test('refusing asks first', async () => {
  const calls = show(<AccessRequests />, { [list]: () => [requestOf(1)], [refuse]: () => ({ ok: true }) });
  fireEvent.click(await screen.findByRole('button', { name: '拒绝 friend-1 访问 nas.localhost' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(calls.map(({ key }) => key)).not.toContain(refuse);
  fireEvent.click(dialog.getByRole('button', { name: /拒\s?绝/ }));
  await waitFor(() => expect(calls.find(({ key }) => key === refuse)).toMatchObject({ input: { params: { id: 1 } } }));
});

test('the sharing dialog shows the requests of its mapping only', async () => {
  show(<AccessRequests mappingId={4} />, { [list]: () => [requestOf(1), requestOf(2, { mapping: 4 })] });
  await screen.findByRole('listitem', { name: /^friend-2/ });
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
});
