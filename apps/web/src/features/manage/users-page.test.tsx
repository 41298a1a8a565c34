import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ManagedUser, RegistrationSettings } from '@tongtu/contract';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { pressEnter } from '../../testing/press-enter.ts';
import { show } from '../../testing/show.tsx';
import { setUpTimes } from '../../text/time.ts';
import { ConfirmProvider } from '../confirm/confirm-provider.tsx';
import { UsersPage } from './users-page.tsx';

setUpTimes();
afterEach(cleanup);

const list = 'GET /api/manage/users/';
const invite = 'POST /api/manage/invitations/';

function userOf(id: number, username: string, given: Partial<ManagedUser> = {}): ManagedUser {
  return {
    ...{ id, username, email: '', phone_number: '', has_wechat: false, has_password: true, second_factor: false },
    ...{ is_staff: false, is_promoter: false, is_superuser: false, device_count: 0, mapping_count: 0 },
    ...{ created_at: '2026-11-01T00:00:00.000Z', last_seen_at: null, disabled_at: null, deletion_at: null },
    ...given,
  };
}

const everybody = [
  userOf(1, 'admin', { is_staff: true, is_superuser: true }),
  userOf(2, 'staff', { is_staff: true }),
  userOf(3, '妈妈', { device_count: 2, mapping_count: 5 }),
  userOf(4, '奶奶', { has_password: false }),
  userOf(5, 'wang', { disabled_at: '2026-11-20T00:00:00.000Z' }),
];

function open(
  answers: Parameters<typeof show>[1] = {},
  { me = everybody[0], settings = {} }: { me?: ManagedUser | undefined; settings?: Partial<RegistrationSettings> } = {},
) {
  return show(
    <ConfirmProvider>
      <UsersPage />
    </ConfirmProvider>,
    {
      'GET /api/profile/': () => [{ ...me, token: 'tt_x' }],
      'GET /api/manage/registration/': () => ({ registration: 'invitation', methods: [], mail: false, ...settings }),
      'GET /api/manage/invitations/': () => [],
      [list]: () => ({ count: everybody.length, next: null, previous: null, results: everybody }),
      ...answers,
    },
  );
}

const row = (name: string) => screen.findByRole('listitem', { name });
const openMenu = async (name: string) =>
  fireEvent.click(within(await row(name)).getByRole('button', { name: `${name} 的操作` }));
const menuItems = () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent);

test('a role that is given leaves the others as they are, which another page may have changed', async () => {
  const save = 'PATCH /api/manage/users/{id}/';
  const calls = open({ [save]: () => everybody[2] });
  await openMenu('妈妈');
  fireEvent.click(await screen.findByRole('menuitem', { name: '管理权限…' }));
  fireEvent.click(await screen.findByRole('checkbox', { name: '推广员' }));
  fireEvent.click(screen.getByRole('button', { name: '保存' }));
  await screen.findByText('妈妈 的权限已修改');
  expect(calls.find(({ key }) => key === save)?.input).toEqual({ params: { id: 3 }, body: { is_promoter: true } });
});

test('each user has a state, and staff may do nothing about superusers and themselves', async () => {
  open({}, { me: everybody[1] });
  const words = { admin: '正常', 妈妈: '正常', 奶奶: '未设密码', wang: '已停用' };
  for (const [name, word] of Object.entries(words)) within(await row(name)).getByText(word);
  within(await row('妈妈')).getByText('2 台设备，5 个地址');
  for (const name of ['admin', 'staff']) expect(within(await row(name)).queryByRole('button')).toBeNull();
  await openMenu('妈妈');
  expect(menuItems()).toEqual(['重设密码…', '停用', '删除…']);
});

test('an account is disabled after a question', async () => {
  const disable = 'POST /api/manage/users/{id}/disabled/';
  const calls = open({ [disable]: () => userOf(3, '妈妈') });
  await openMenu('妈妈');
  fireEvent.click(screen.getByRole('menuitem', { name: /停用$/ }));
  await screen.findByText(/^账号会立即退出所有登录/);
  expect(calls.some(({ key }) => key === disable)).toBe(false);
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: '停用' }));
  await screen.findByText('已停用 妈妈');
  expect(calls.find(({ key }) => key === disable)?.input).toEqual({ params: { id: 3 } });
});

test('an account is deleted after its name was typed', async () => {
  const remove = 'DELETE /api/manage/users/{id}/';
  const calls = open({ [remove]: () => ({ ok: true }) });
  await openMenu('妈妈');
  fireEvent.click(screen.getByText('删除…'));
  const confirm = await screen.findByRole<HTMLButtonElement>('button', { name: '永久删除' });
  expect(confirm.disabled).toBe(true);
  screen.getByText('2 台设备：客户端会断开，须重新添加');
  fireEvent.change(screen.getByLabelText('请输入用户名“妈妈”以确认'), { target: { value: '妈妈' } });
  await waitFor(() => expect(confirm.disabled).toBe(false));
  fireEvent.click(confirm);
  await screen.findByText('正在删除 妈妈');
  expect(calls.find(({ key }) => key === remove)?.input).toEqual({ params: { id: 3 } });
});

test('an invitation ends with a link and its QR code; without a mail server it says why none is sent', async () => {
  const link = { id: 1, url: 'http://localhost/#/join?token=x', email: '', expires_at: '2126-01-01T00:00:00.000Z' };
  const calls = open({ [invite]: () => link });
  fireEvent.click(await screen.findByRole('button', { name: '邀请' }));
  await screen.findByText('没有配置邮件服务（SMTP_URL），不能发邮件。');
  expect(screen.getByRole<HTMLInputElement>('radio', { name: '发邮件' }).disabled).toBe(true);
  fireEvent.change(screen.getByLabelText('给谁'), { target: { value: ' 妈妈 ' } });
  pressEnter(screen.getByLabelText('给谁'));
  await screen.findByText(link.url);
  screen.getByRole('img', { name: '一次性链接的二维码' });
  expect(calls.find(({ key }) => key === invite)?.input).toEqual({ body: { note: '妈妈', valid_hours: 72 } });
});

test('a console on loopback says that nobody else can open its links', async () => {
  const link = { id: 1, url: 'http://localhost/#/join?token=x', email: '', expires_at: '2126-01-01T00:00:00.000Z' };
  open({ 'POST /api/manage/users/{id}/password_link/': () => link });
  await openMenu('妈妈');
  fireEvent.click(screen.getByText('重设密码…'));
  fireEvent.click(await screen.findByRole('button', { name: '生成链接' }));
  await screen.findByText('设置密码的链接已生成');
  screen.getByText(/^您正通过本机地址打开控制台，别人打不开这个链接/);
});

test('with a mail server an invitation is sent, and its link not shown', async () => {
  const sent = { id: 1, url: '', email: 'mama@example.com', expires_at: '2126-01-01T00:00:00.000Z' };
  const calls = open({ [invite]: () => sent }, { settings: { mail: true } });
  fireEvent.click(await screen.findByRole('button', { name: '邀请' }));
  fireEvent.click(await screen.findByRole('radio', { name: '发邮件' }));
  fireEvent.change(await screen.findByLabelText('对方的邮箱'), { target: { value: 'mama@example.com' } });
  fireEvent.click(screen.getByRole('button', { name: '发送邀请' }));
  await screen.findByText('邀请已发送到 mama@example.com');
  expect(calls.find(({ key }) => key === invite)?.input).toEqual({
    body: { note: '', valid_hours: 72, email: 'mama@example.com' },
  });
});

test.each([
  ['http://localhost:8080', 1],
  ['https://tongtu.example.com', 0],
])(
  'before an invitation is mailed, a server at %s is checked for links that only itself can open',
  async (url, count) => {
    open({ 'GET /api/site/config/': () => ({ console_url: url }) }, { settings: { mail: true } });
    fireEvent.click(await screen.findByRole('button', { name: '邀请' }));
    fireEvent.click(await screen.findByRole('radio', { name: '发邮件' }));
    await screen.findByLabelText('对方的邮箱');
    const words = `邮件里的链接以 ${url} 开头`;
    await waitFor(() => expect(screen.queryAllByText(words, { exact: false })).toHaveLength(count));
  },
);

test('somebody who joins shows up while the page is open', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  let hasJoined = false;
  const invitation = { id: 1, note: '弟弟', email: '', invited_by: 'admin', expires_at: '2126-01-01T00:00:00.000Z' };
  open({
    'GET /api/manage/invitations/': () => (hasJoined ? [] : [invitation]),
    [list]: () => {
      const results = hasJoined ? [...everybody, userOf(6, 'didi')] : everybody;
      return { count: results.length, next: null, previous: null, results };
    },
  });
  await row('弟弟');
  hasJoined = true;
  await vi.advanceTimersByTimeAsync(10_000);
  await row('didi');
  await waitFor(() => expect(screen.queryByRole('listitem', { name: '弟弟' })).toBeNull());
});

test('registration cannot be opened while nobody could register', async () => {
  const save = 'PATCH /api/manage/registration/';
  const calls = open({ [save]: () => ({ registration: 'closed', methods: [], mail: false }) });
  await screen.findByText(/“开放注册”需要先配置短信/);
  expect(screen.getByRole<HTMLInputElement>('radio', { name: '开放注册' }).disabled).toBe(true);
  fireEvent.click(screen.getByRole('radio', { name: '关闭注册' }));
  await waitFor(() =>
    expect(calls.find(({ key }) => key === save)?.input).toEqual({ body: { registration: 'closed' } }),
  );
});

test('after the last account of the last page was deleted the page before is shown', async () => {
  const logged = vi.spyOn(console, 'error');
  onTestFinished(() => logged.mockRestore());
  let count = 51;
  const calls = open({
    [list]: (input) => {
      const { offset } = (input as { query: { offset: number } }).query; // the type of this call's query
      const results = offset === 0 ? everybody : everybody.slice(4).slice(0, count - offset);
      return { count, next: null, previous: null, results };
    },
    'DELETE /api/manage/users/{id}/': () => {
      count = 50;
      return { ok: true };
    },
  });
  await row('admin');
  fireEvent.click(screen.getByRole('listitem', { name: '2' }));
  await waitFor(() => expect(screen.queryByRole('listitem', { name: 'admin' })).toBeNull());
  await openMenu('wang');
  fireEvent.click(screen.getByText('删除…'));
  fireEvent.change(await screen.findByLabelText('请输入用户名“wang”以确认'), { target: { value: 'wang' } });
  const confirm = screen.getByRole<HTMLButtonElement>('button', { name: '永久删除' });
  await waitFor(() => expect(confirm.disabled).toBe(false));
  fireEvent.click(confirm);
  await row('admin');
  expect(calls.findLast(({ key }) => key === list)?.input).toMatchObject({ query: { offset: 0 } });
  expect(logged).not.toHaveBeenCalled();
});

test('while a link is being made its dialog cannot be closed, because nobody would see the link', async () => {
  const link = Promise.withResolvers<object>();
  open({ [invite]: () => link.promise });
  fireEvent.click(await screen.findByRole('button', { name: '邀请' }));
  fireEvent.click(await screen.findByRole('button', { name: '生成邀请' }));
  const cancel = screen.getByRole<HTMLButtonElement>('button', { name: '取消' });
  await waitFor(() => expect(cancel.disabled).toBe(true));
  fireEvent.keyDown(window, { key: 'Escape' });
  const url = 'http://localhost/#/join?token=x';
  link.resolve({ id: 1, url, email: '', expires_at: '2126-01-01T00:00:00.000Z' });
  await screen.findByText(url);
});

test('invitations that cannot be loaded are reported', async () => {
  open({ 'GET /api/manage/invitations/': () => Promise.reject(new Error('broken')) });
  await screen.findByText('邀请加载失败');
});
