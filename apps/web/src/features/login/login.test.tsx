import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { SiteConfig } from '@tongtu/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../api/client/api-error.ts';
import type { Call } from '../../api/client/call-types.ts';
import type { SolveCaptcha } from '../captcha/create-captcha.ts';
import { Login } from './login.tsx';

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const onLoggedIn = vi.fn<() => void>();
const siteKey = 'GET /api/site/config/';

/** The login with a fake server of canned answers. The calls are listed by their keys. */
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
  onLoggedIn.mockReset();
  render(
    <Login
      // The caller lists the answers that the test needs.
      deps={{ call: call as unknown as Call, solve: ask }}
      site={answers[siteKey]?.() as SiteConfig}
      aff={undefined}
      cameWith={undefined}
      host={undefined}
      onLoggedIn={onLoggedIn}
    />,
  );
  return calls;
}

function refusal(code: string): ApiError {
  const rest = { detail: '', fields: {}, requestId: '', retryAfterSeconds: undefined };
  return new ApiError({ type: 'problem', status: 422, code, ...rest });
}

const site = (phone_login: boolean) => () => ({ phone_login, phone_regions: ['86'], sso_url: null });

test.each([
  [false, true],
  [true, false],
])(
  'where an administrator has logged in: %s, the hint about admin is shown: %s',
  async (has_administrator, isShown) => {
    open({ [siteKey]: () => ({ ...site(false)(), has_administrator }) });
    await screen.findByLabelText('账号');
    expect(screen.queryByText(/管理员账号是 admin/) !== null).toBe(isShown);
  },
);

test.each([
  ['nothing is configured', { phone_login: false, mail_codes: false }, []],
  ['SMS and mail are configured', { phone_login: true, mail_codes: true }, ['手机号', '邮箱']],
])('a forgotten password leads to the administrator where %s', async (_what, configured, tabs) => {
  open({ [siteKey]: () => ({ ...site(false)(), ...configured }) });
  if (configured.phone_login) fireEvent.click(await screen.findByRole('tab', { name: '密码' }));
  fireEvent.click(await screen.findByRole('button', { name: '忘记密码？' }));
  await screen.findByText('npm start -- --reset-admin-password');
  await screen.findByText(/请联系管理员/);
  expect(screen.queryAllByRole('tab').map(({ textContent }) => textContent)).toEqual(tabs);
});

async function fillPassword(): Promise<void> {
  fireEvent.change(await screen.findByLabelText('账号'), { target: { value: 'somebody' } });
  fireEvent.change(screen.getByLabelText('密码', { selector: 'input' }), { target: { value: 'open sesame' } });
}
const send = () => fireEvent.submit(screen.getByLabelText('账号'));

test('after the password the user is logged in, once', async () => {
  const calls = open({ [siteKey]: site(false), 'POST /custom/login/': () => ({ second_factor: null }) });
  await fillPassword();
  send();
  send();
  await waitFor(() => expect(onLoggedIn).toHaveBeenCalledOnce());
  expect(screen.queryByRole('alert')).toBeNull();
  expect(calls.filter((key) => key === 'POST /custom/login/')).toHaveLength(1);
});

test('the way of the last login is shown first the next time, and the tabs keep their order', async () => {
  const answers = { [siteKey]: site(true), 'POST /custom/login/': () => ({ second_factor: null }) };
  const tabs = () => screen.getAllByRole('tab').map((tab) => [tab.textContent, tab.getAttribute('aria-selected')]);
  open(answers);
  expect(tabs()).toEqual([
    ['手机验证码', 'true'],
    ['密码', 'false'],
  ]);
  fireEvent.click(screen.getByRole('tab', { name: '密码' }));
  await fillPassword();
  send();
  await waitFor(() => expect(onLoggedIn).toHaveBeenCalledOnce());
  cleanup();

  open(answers);
  expect(tabs()).toEqual([
    ['手机验证码', 'false'],
    ['密码', 'true'],
  ]);
});

test('the arrow keys move among the tabs, and Enter or a click shows the form', async () => {
  open({ [siteKey]: site(true) });
  const [phone, password] = screen.getAllByRole('tab');
  if (!phone || !password) throw new Error('no tabs');
  const isOf = (tab: HTMLElement) => [tab.getAttribute('aria-selected'), tab.tabIndex];
  expect([isOf(phone), isOf(password)]).toEqual([
    ['true', 0],
    ['false', -1],
  ]);
  fireEvent.change(screen.getByLabelText('手机号'), { target: { value: '1380013' } });
  phone.focus();
  fireEvent.keyDown(phone, { key: 'ArrowLeft' });
  expect(document.activeElement).toBe(password);
  fireEvent.keyDown(password, { key: 'Home' });
  expect(document.activeElement).toBe(phone);
  fireEvent.keyDown(phone, { key: 'End' });
  expect(document.activeElement).toBe(password);
  expect(isOf(password)).toEqual(['false', -1]);

  fireEvent.click(password);
  expect(isOf(password)).toEqual(['true', 0]);
  expect(document.activeElement).toBe(screen.getByLabelText('账号'));
  fireEvent.click(phone);
  expect(screen.getByLabelText<HTMLInputElement>('手机号').value).toBe('1380013');
});

test('the number of a login survives a reload and is forgotten after the login', async () => {
  const answers = {
    [siteKey]: site(true),
    'POST /api/verify/sms/send/': () => ({ retry_after: 60, expires_in: 300 }),
    'POST /api/verify/login/phone/': () => ({ second_factor: null }),
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
    [siteKey]: site(true),
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
    [siteKey]: site(false),
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
      [siteKey]: site(false),
      [needKey]: chosen,
      [loginKey]: () => (asked.length === 1 ? { second_factor: null } : Promise.reject(refusal('captcha.required'))),
    },
    async (purpose, options) => {
      asked.push([purpose, options, calls.includes(loginKey)]);
      return 'ticket';
    },
  );
  await fillPassword();
  send();
  await waitFor(() => expect(onLoggedIn).toHaveBeenCalledOnce());
  expect(asked).toEqual([['login', expect.objectContaining({ firstKey: 'chosen' }), false]]);
  expect(calls.filter((key) => key === loginKey)).toHaveLength(1);
});

test('a user who closes the captcha has sent no password, and can open it by its button', async () => {
  const tickets = [undefined, 'ticket'];
  const calls = open(
    {
      [siteKey]: site(false),
      [needKey]: chosen,
      [loginKey]: () => ({ second_factor: null }),
    },
    async () => tickets.shift(),
  );
  await fillPassword();
  send();
  await screen.findByText('请先完成人机验证');
  expect(calls).not.toContain(loginKey);

  fireEvent.click(await screen.findByRole('button', { name: '未完成验证，请点击重试' }));
  await screen.findByRole('button', { name: '验证通过' });
  send();
  await waitFor(() => expect(onLoggedIn).toHaveBeenCalledOnce());
  // With a ticket there is no need to ask the server.
  expect(calls.filter((key) => key === needKey)).toHaveLength(1);
});

test('no captcha is shown when none is required', async () => {
  open({
    [siteKey]: site(false),
    [needKey]: () => ({ required: false, type: null, key: null }),
    [loginKey]: () => ({ second_factor: null }),
  });
  await fillPassword();
  send();
  await waitFor(() => expect(onLoggedIn).toHaveBeenCalledOnce());
});

test('an expired captcha ticket is replaced once', async () => {
  const notices: (string | undefined)[] = [];
  let isIn = false;
  open(
    {
      [siteKey]: site(false),
      'POST /custom/login/': () => {
        if (notices.length === 2) isIn = true;
        return isIn
          ? { second_factor: null }
          : Promise.reject(refusal(notices.length === 0 ? 'captcha.required' : 'captcha.ticket-expired'));
      },
    },
    async (_purpose, options) => `ticket-${notices.push(options?.notice)}`,
  );
  await fillPassword();
  send();
  await waitFor(() => expect(onLoggedIn).toHaveBeenCalledOnce());
  expect(notices).toEqual([undefined, '人机验证已过期，请再试一次']);
});
