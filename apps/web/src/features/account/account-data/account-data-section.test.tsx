import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { Security } from '@tongtu/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { useProfile } from '../../../api/index.ts';
import { show } from '../../../testing/show.tsx';
import { setUpTimes } from '../../../text/time.ts';
import { ConfirmProvider } from '../../confirm/confirm-provider.tsx';
import { profileOf, refusal, securityOf } from '../testing/account-fixtures.ts';
import { AccountDataSection } from './account-data-section.tsx';
import { DeletionNotice } from './deletion-notice.tsx';

setUpTimes();
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const request = 'POST /api/user/deletion/';
const takeBack = 'DELETE /api/user/deletion/';

function Username() {
  return <output>{useProfile()?.username}</output>;
}

function open(security: Security, answers: Parameters<typeof show>[1] = {}) {
  return show(
    <ConfirmProvider>
      <Username />
      <DeletionNotice />
      <AccountDataSection />
    </ConfirmProvider>,
    { 'GET /api/user/security/': () => ({ ...security }), 'GET /api/profile/': () => [profileOf()], ...answers },
  );
}

const confirmButton = () => screen.getByRole<HTMLButtonElement>('button', { name: '7 天后删除账号' });

test('after the user name is typed an account is scheduled for deletion in a week, and every screen offers to cancel that', async () => {
  const security = securityOf();
  const calls = open(security, {
    [request]: () => Object.assign(security, { deletion_at: '2126-12-01T00:00:00.000Z' }),
    [takeBack]: () => Object.assign(security, { deletion_at: null }),
  });
  fireEvent.click(await screen.findByRole('button', { name: '删除账号…' }));
  const field = await screen.findByLabelText('请输入用户名“lilei”以确认');
  fireEvent.change(field, { target: { value: 'somebody' } });
  expect(confirmButton().disabled).toBe(true);
  fireEvent.change(field, { target: { value: 'lilei' } });
  await waitFor(() => expect(confirmButton().disabled).toBe(false));
  expect(calls.some(({ key }) => key === request)).toBe(false);
  fireEvent.click(confirmButton());

  await screen.findByText(/^您的账号将于 2126-12-01 .* 删除/);
  const [inNotice] = await screen.findAllByRole('button', { name: '撤销删除' });
  if (inNotice) fireEvent.click(inNotice);
  await waitFor(() => expect(screen.queryByText(/^您的账号将于/)).toBeNull());
  await screen.findByRole('button', { name: '删除账号…' });
});

test('the last administrator reads why the account cannot be deleted', async () => {
  open(securityOf(), { [request]: () => Promise.reject(refusal('user.last-admin')) });
  fireEvent.click(await screen.findByRole('button', { name: '删除账号…' }));
  fireEvent.change(await screen.findByLabelText(/请输入用户名/), { target: { value: 'lilei' } });
  await waitFor(() => expect(confirmButton().disabled).toBe(false));
  fireEvent.click(confirmButton());
  await screen.findByText('这是最后一个管理员账号，不能删除');
});

test('the export is saved as a file with all data', async () => {
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) saved.push(file);
    return 'blob:x';
  });
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    names.push(this.download);
  });
  open(securityOf(), { 'GET /api/user/export/': () => ({ profile: { username: 'lilei' } }) });
  await screen.findByText('lilei');
  fireEvent.click(await screen.findByRole('button', { name: '导出' }));
  await screen.findByText('数据已导出');
  expect(names).toEqual([expect.stringMatching(/^通途-lilei-\d{4}-\d\d-\d\d\.json$/)]);
  expect(JSON.parse((await saved[0]?.text()) ?? '')).toEqual({ profile: { username: 'lilei' } });
});
