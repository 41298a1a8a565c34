import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { type Api, ApiError, ApiProvider } from '../../api/index.ts';
import { LoginCard } from './login-card.tsx';

configure({ asyncUtilTimeout: 15_000 });
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
});

const unreachable = () => Promise.reject(new ApiError({ type: 'network' }));
const profileKey = 'GET /api/profile/';

/** The login page over a server of canned answers; the calls are listed by their keys. */
function open(answers: Record<string, () => unknown>): string[] {
  const calls: string[] = [];
  const call = async (key: string) => {
    calls.push(key);
    const answer = answers[key];
    if (!answer) throw new Error(`no answer for ${key}`);
    return await answer();
  };
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, retryDelay: 0 } } });
  const router = createMemoryRouter([{ path: '/', element: <LoginCard /> }]);
  render(
    <QueryClientProvider client={queryClient}>
      {/* The answers are those that the test expects. */}
      <ApiProvider value={{ call } as unknown as Api}>
        <RouterProvider router={router} />
      </ApiProvider>
    </QueryClientProvider>,
  );
  return calls;
}

const site = (phone_login: boolean) => () => ({ phone_login, phone_regions: ['86'], sso_url: null });
const somebody = () => [{ id: 1, username: 'somebody', token: 'tt_x' }];

async function fillPassword(): Promise<void> {
  fireEvent.change(await screen.findByLabelText('账号'), { target: { value: 'somebody' } });
  fireEvent.change(screen.getByLabelText('密码'), { target: { value: 'open sesame' } });
}
const send = () => fireEvent.submit(screen.getByLabelText('账号'));

test('a profile that comes at the third try is waited for', async () => {
  const profile = vi
    .fn<() => unknown>(somebody)
    .mockImplementationOnce(unreachable)
    .mockImplementationOnce(unreachable);
  const calls = open({
    'GET /api/site/config/': site(false),
    'POST /custom/login/': () => ({ second_factor: null }),
    [profileKey]: profile,
  });
  await fillPassword();
  send();
  await waitFor(() => expect(profile).toHaveBeenCalledTimes(3));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(calls.filter((key) => key === 'POST /custom/login/')).toHaveLength(1);
});

test('when the login went through but the page could not go on, the next try does not log in again', async () => {
  let profile: () => unknown = unreachable;
  const calls = open({
    'GET /api/site/config/': site(false),
    'POST /custom/login/': () => ({ second_factor: null }),
    [profileKey]: () => profile(),
  });
  await fillPassword();
  send();
  await screen.findByText('无法连接服务器，请检查网络后重试');
  profile = somebody;
  const before = calls.length;
  send();
  await waitFor(() => expect(calls.slice(before)).toEqual([profileKey]));
});

test('the number of a login survives a reload, and is forgotten once its owner is in', async () => {
  const answers = {
    'GET /api/site/config/': site(true),
    'POST /api/verify/sms/send/': () => ({ retry_after: 60, expires_in: 300 }),
    'POST /api/verify/login/phone/': () => ({ second_factor: null }),
    [profileKey]: somebody,
  };
  const showPhone = async () => {
    open(answers);
    fireEvent.click(await screen.findByRole('tab', { name: '手机验证码' }));
    return await screen.findByLabelText<HTMLInputElement>('手机号');
  };
  fireEvent.change(await showPhone(), { target: { value: '13800138000' } });
  fireEvent.click(screen.getByRole('button', { name: '获取验证码' }));
  await screen.findByText(/^验证码已发送，5 分钟内有效/);
  cleanup();

  expect((await showPhone()).value).toBe('13800138000');
  fireEvent.change(screen.getByLabelText('短信验证码'), { target: { value: '123456' } });
  fireEvent.click(screen.getByRole('checkbox'));
  fireEvent.submit(screen.getByLabelText('短信验证码'));
  await waitFor(() => expect(sessionStorage.getItem('tongtu.login-phone')).toBeNull());
  cleanup();

  expect((await showPhone()).value).toBe('');
});
