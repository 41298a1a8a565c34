import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { InvitationFacts } from '@tongtu/contract';
import { ConfigProvider } from 'antd';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import { type Api, ApiError, ApiProvider } from '../../../api/index.ts';
import { ThemeModeProvider } from '../../../ui/theme/theme-mode.tsx';
import { JoinPage } from './join-page.tsx';

afterEach(cleanup);

const token = 'x'.repeat(22);
const look = 'POST /api/invitation/look/';
const accept = 'POST /api/invitation/accept/';
const setPassword = 'POST /api/invitation/password/';

function factsOf(given: Partial<InvitationFacts> = {}): InvitationFacts {
  const plain = { purpose: 'join', username: '', invited_by: 'admin', address: '', can_join: true } as const;
  return { ...plain, expires_at: '2126-12-01T00:00:00.000Z', ...given };
}

function refusal(code: string, fields: Record<string, string[]> = {}): ApiError {
  return new ApiError({
    ...{ type: 'problem', status: 404, code, detail: '', fields, requestId: '', retryAfterSeconds: undefined },
  });
}

type Answers = Record<string, (input: unknown) => unknown>;

/** The page with a fake server of canned answers; the calls are recorded. */
function open(answers: Answers, at = `/join?token=${token}`): { key: string; input: unknown }[] {
  const calls: { key: string; input: unknown }[] = [];
  const all: Answers = { 'GET /api/profile/': () => [], ...answers };
  const call = async (key: string, input: unknown) => {
    calls.push({ key, input });
    return await all[key]?.(input);
  };
  const router = createMemoryRouter(
    [
      { path: '/join', element: <JoinPage /> },
      { path: '*', element: <p>控制台</p> },
    ],
    { initialEntries: [at] },
  );
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      {/* The caller lists the answers that the test needs. */}
      <ApiProvider value={{ call } as unknown as Api}>
        <ConfigProvider button={{ autoInsertSpace: false }}>
          <ThemeModeProvider>
            <RouterProvider router={router} />
          </ThemeModeProvider>
        </ConfigProvider>
      </ApiProvider>
    </QueryClientProvider>,
  );
  return calls;
}

const loggedIn = { 'GET /api/profile/': () => [{ id: 7, username: 'lilei', token: 'tt_x' }] };

test('an invitation names who invites and to what, and offers those with an account to log in', async () => {
  open({ [look]: () => factsOf({ address: 'nas.example.com' }) });
  await screen.findByText('admin 邀请您打开 nas.example.com。请设置自己的用户名和密码。');
  const link = screen.getByRole<HTMLAnchorElement>('link', { name: '已有账号？登录后接受邀请' });
  expect(link.getAttribute('href')).toBe(`/login?url=${encodeURIComponent(`#/join?token=${token}`)}`);
});

test('a weak password and missing terms are not sent; a name that is taken is reported at its field', async () => {
  const join = 'POST /api/invitation/join/';
  const calls = open({ [look]: () => factsOf(), [join]: () => Promise.reject(refusal('user.name-taken')) });
  fireEvent.change(await screen.findByLabelText('用户名'), { target: { value: '妈妈' } });
  fireEvent.change(screen.getByLabelText('密码'), { target: { value: 'short' } });
  fireEvent.click(screen.getByRole('button', { name: '创建账号并登录' }));
  await screen.findByText('新密码至少 10 个字符');
  await screen.findByText('请先阅读并同意服务条款');
  expect(calls.some(({ key }) => key === join)).toBe(false);

  fireEvent.change(screen.getByLabelText('密码'), { target: { value: 'a lion in the garden' } });
  fireEvent.click(screen.getByRole('checkbox'));
  fireEvent.click(screen.getByRole('button', { name: '创建账号并登录' }));
  await screen.findByText('该用户名已被使用');
  expect(calls.at(-1)?.input).toEqual({
    body: { token, username: '妈妈', new_password: 'a lion in the garden', accepted_terms: true },
  });
});

test('somebody who is logged in accepts with this account, or makes another one', async () => {
  const answers = {
    ...loggedIn,
    [look]: () => factsOf({ address: 'nas.example.com' }),
    [accept]: () => ({ ok: true }),
  };
  open(answers);
  fireEvent.click(await screen.findByRole('button', { name: '创建另一个账号' }));
  await screen.findByLabelText('用户名');
  cleanup();
  const calls = open(answers);
  fireEvent.click(await screen.findByRole('button', { name: '用 lilei 接受' }));
  await screen.findByText('控制台');
  expect(calls.find(({ key }) => key === accept)?.input).toEqual({ body: { token } });
});

test('where nobody may register the invitation is for those with an account', async () => {
  open({ [look]: () => factsOf({ address: 'nas.example.com', can_join: false }) });
  await screen.findByText(/这里现在不能自行注册/);
  expect(screen.queryByLabelText('用户名')).toBeNull();
});

test.each([
  ['the registration was closed', 'registration.closed', /这里现在不能自行注册/],
  ['the link was revoked', 'invitation.not-found', /这个链接无效、已用过或已过期/],
])('when %s while the form was filled in, the page says what is left', async (_what, code, words) => {
  let facts: () => unknown = () => factsOf({ address: 'nas.example.com' });
  open({
    [look]: () => facts(),
    'POST /api/invitation/join/': () => {
      facts = () =>
        code === 'registration.closed'
          ? factsOf({ address: 'nas.example.com', can_join: false })
          : Promise.reject(refusal(code));
      return Promise.reject(refusal(code));
    },
  });
  fireEvent.change(await screen.findByLabelText('用户名'), { target: { value: '妹妹' } });
  fireEvent.change(screen.getByLabelText('密码'), { target: { value: 'a lion in the garden' } });
  fireEvent.click(screen.getByRole('checkbox'));
  fireEvent.click(screen.getByRole('button', { name: '创建账号并登录' }));
  await screen.findByText(words);
  expect(screen.queryByLabelText('用户名')).toBeNull();
});

test('a link for a password sets it and leads to the login', async () => {
  open({
    [look]: () => factsOf({ purpose: 'password', username: '妈妈' }),
    [setPassword]: () => ({ username: '妈妈' }),
  });
  fireEvent.change(await screen.findByLabelText('新密码'), { target: { value: 'a lion in the garden' } });
  fireEvent.click(screen.getByRole('button', { name: '设置密码' }));
  await screen.findByText('请用账号 妈妈 和新密码登录。');
});

test.each([
  ['that is unknown', `/join?token=${token}`, 'invitation.not-found', /这个链接无效、已用过或已过期/],
  ['without a token', '/join', 'invitation.not-found', '链接不完整，请重新复制完整的链接'],
  ['with half a token', '/join?token=x', 'request.invalid', '链接不完整，请重新复制完整的链接'],
])('a link %s says so, and is not tried again', async (_what, at, code, words) => {
  open({ [look]: () => Promise.reject(refusal(code)) }, at);
  await screen.findByText(words);
  expect(screen.queryByRole('button', { name: '重试' })).toBeNull();
});
