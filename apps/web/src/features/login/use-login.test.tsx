import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { type Api, ApiError, ApiProvider } from '../../api/index.ts';
import type { SolveCaptcha } from '../captcha/create-captcha.ts';
import { SolveContext } from '../captcha/use-captcha.tsx';
import { LoginCard } from './login-card.tsx';

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const unreachable = () => Promise.reject(new ApiError({ type: 'network' }));
const profileKey = 'GET /api/profile/';

/** The login screen with a fake server of canned answers. The calls are listed by their keys. */
function open(
  answers: Record<string, () => unknown>,
  ask: SolveCaptcha = () => Promise.reject(new Error('no captcha')),
): string[] {
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
      {/* The caller lists the answers that the test needs. */}
      <ApiProvider value={{ call } as unknown as Api}>
        <SolveContext value={ask}>
          <RouterProvider router={router} />
        </SolveContext>
      </ApiProvider>
    </QueryClientProvider>,
  );
  return calls;
}

function refusal(code: string): ApiError {
  const rest = { detail: '', fields: {}, requestId: '', retryAfterSeconds: undefined };
  return new ApiError({ type: 'problem', status: 422, code, ...rest });
}

const site = (phone_login: boolean) => () => ({ phone_login, phone_regions: ['86'], sso_url: null });
const somebody = () => [{ id: 1, username: 'somebody', token: 'tt_x' }];

test.each([
  [false, true],
  [true, false],
])(
  'where an administrator has logged in: %s, the hint about admin is shown: %s',
  async (has_administrator, isShown) => {
    open({ 'GET /api/site/config/': () => ({ ...site(false)(), has_administrator }) });
    await screen.findByLabelText('账号');
    expect(screen.queryByText(/管理员账号是 admin/) !== null).toBe(isShown);
  },
);

test.each([
  ['nothing is configured', { phone_login: false, mail_codes: false }, []],
  ['SMS and mail are configured', { phone_login: true, mail_codes: true }, ['手机号', '邮箱']],
])('a forgotten password leads to the administrator where %s', async (_what, configured, tabs) => {
  open({ 'GET /api/site/config/': () => ({ ...site(false)(), ...configured }) });
  if (configured.phone_login) fireEvent.click(await screen.findByRole('tab', { name: '密码' }));
  fireEvent.click(await screen.findByRole('button', { name: '忘记密码？' }));
  await screen.findByText('npm start -- --reset-admin-password');
  await screen.findByText(/请联系管理员/);
  expect(screen.queryAllByRole('tab').map(({ textContent }) => textContent)).toEqual(tabs);
});

async function fillPassword(): Promise<void> {
  fireEvent.change(await screen.findByLabelText('账号'), { target: { value: 'somebody' } });
  fireEvent.change(screen.getByLabelText('密码'), { target: { value: 'open sesame' } });
}
const send = () => fireEvent.submit(screen.getByLabelText('账号'));

test('the login waits for a profile that loads at the third try', async () => {
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

test('when the profile fails after a successful login, the next try does not log in again', async () => {
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

test('the number of a login survives a reload and is forgotten after the login', async () => {
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
  const countdowns = Object.keys(sessionStorage).filter((key) => key.startsWith('tongtu.countdown.'));
  expect(countdowns).toEqual([expect.not.stringContaining('13800138000')]);
  cleanup();

  expect((await showPhone()).value).toBe('13800138000');
  fireEvent.change(screen.getByLabelText('短信验证码'), { target: { value: '123456' } });
  fireEvent.click(screen.getByRole('checkbox'));
  fireEvent.submit(screen.getByLabelText('短信验证码'));
  await waitFor(() => expect(sessionStorage.getItem('tongtu.login-phone')).toBeNull());
  cleanup();

  expect((await showPhone()).value).toBe('');
});

test('an expired code is not called valid beside it', async () => {
  open({
    'GET /api/site/config/': site(true),
    'POST /api/verify/sms/send/': () => ({ retry_after: 0, expires_in: 300 }),
    'POST /api/verify/login/phone/': () => Promise.reject(refusal('code.expired')),
  });
  fireEvent.click(await screen.findByRole('tab', { name: '手机验证码' }));
  fireEvent.change(await screen.findByLabelText('手机号'), { target: { value: '13800138000' } });
  const send = screen.getByRole('button', { name: '获取验证码' });
  fireEvent.click(send);
  await screen.findByText(/^验证码已发送，5 分钟内有效/);
  fireEvent.change(screen.getByLabelText('短信验证码'), { target: { value: '123456' } });
  fireEvent.click(screen.getByRole('checkbox'));
  fireEvent.submit(screen.getByLabelText('短信验证码'));
  await screen.findByText('验证码已失效，请重新获取');
  expect(screen.queryByText(/^验证码已发送/)).toBeNull();

  fireEvent.click(send);
  await screen.findByText(/^验证码已发送，5 分钟内有效/);
  await waitFor(() => expect(screen.queryByText('验证码已失效，请重新获取')).toBeNull());
});

const need = { token: 'second', methods: ['passkey', 'recovery_code'] };

test.each([
  ['改用恢复码', '恢复码'],
  ['返回登录', '账号'],
])('while the browser waits for a passkey, %s ends the wait', async (way, field) => {
  let signal: AbortSignal | undefined;
  const get = ({ signal: given }: CredentialRequestOptions) =>
    new Promise<never>((_resolve, reject) => {
      signal = given;
      given?.addEventListener('abort', () => reject(given.reason));
    });
  vi.stubGlobal('PublicKeyCredential', class {});
  Object.defineProperty(navigator, 'credentials', { value: { get }, configurable: true });
  open({
    'GET /api/site/config/': site(false),
    'POST /custom/login/': () => ({ second_factor: need }),
    'POST /custom/login/second/passkey_options/': () => ({ options: { challenge: 'AAAA', allowCredentials: [] } }),
  });
  await fillPassword();
  send();
  fireEvent.click(await screen.findByRole('button', { name: '使用通行密钥' }));
  await waitFor(() => expect(signal?.aborted).toBe(false));

  fireEvent.click(screen.getByRole('button', { name: way }));
  await screen.findByLabelText(field);
  expect(signal?.aborted).toBe(true);
  expect(screen.queryByRole('alert')).toBeNull();
});

const needKey = 'GET /api/verify/captcha/init/';
const loginKey = 'POST /custom/login/';
const chosen = () => ({ required: true, type: 'slide', key: 'chosen' });

test('a required captcha is solved before the password is sent, starting with the server’s chosen challenge', async () => {
  const asked: unknown[] = [];
  const calls = open(
    {
      'GET /api/site/config/': site(false),
      [needKey]: chosen,
      [loginKey]: () => (asked.length === 1 ? { second_factor: null } : Promise.reject(refusal('captcha.required'))),
      [profileKey]: somebody,
    },
    async (purpose, options) => {
      asked.push([purpose, options, calls.includes(loginKey)]);
      return 'ticket';
    },
  );
  await fillPassword();
  send();
  await waitFor(() => expect(calls).toContain(profileKey));
  expect(asked).toEqual([['login', { firstKey: 'chosen' }, false]]);
  expect(calls.filter((key) => key === loginKey)).toHaveLength(1);
});

test('a user who closes the captcha has sent no password, and can open it by its button', async () => {
  const tickets = [undefined, 'ticket'];
  const calls = open(
    {
      'GET /api/site/config/': site(false),
      [needKey]: chosen,
      [loginKey]: () => ({ second_factor: null }),
      [profileKey]: somebody,
    },
    async () => tickets.shift(),
  );
  await fillPassword();
  send();
  await screen.findByText('请先完成人机验证');
  expect(calls).not.toContain(loginKey);

  fireEvent.click(screen.getByRole('button', { name: '未完成验证，请点击重试' }));
  await screen.findByRole('button', { name: '验证通过' });
  send();
  await waitFor(() => expect(calls).toContain(profileKey));
  // With a ticket there is no need to ask the server.
  expect(calls.filter((key) => key === needKey)).toHaveLength(1);
});

test('no captcha is shown when none is required', async () => {
  const calls = open({
    'GET /api/site/config/': site(false),
    [needKey]: () => ({ required: false, type: null, key: null }),
    [loginKey]: () => ({ second_factor: null }),
    [profileKey]: somebody,
  });
  await fillPassword();
  send();
  await waitFor(() => expect(calls).toContain(profileKey));
});

test('an expired captcha ticket is replaced once', async () => {
  const notices: (string | undefined)[] = [];
  let isIn = false;
  const calls = open(
    {
      'GET /api/site/config/': site(false),
      'POST /custom/login/': () => {
        if (notices.length === 2) isIn = true;
        return isIn
          ? { second_factor: null }
          : Promise.reject(refusal(notices.length === 0 ? 'captcha.required' : 'captcha.ticket-expired'));
      },
      [profileKey]: somebody,
    },
    async (_purpose, options) => `ticket-${notices.push(options?.notice)}`,
  );
  await fillPassword();
  send();
  await waitFor(() => expect(calls).toContain(profileKey));
  expect(notices).toEqual([undefined, '人机验证已过期，请再试一次']);
});
