import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { CheckReply, PublicRouterInfo } from '@tongtu/contract';
import { errorCatalogue } from '@tongtu/contract/errors';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../api/index.ts';
import { FakeEventSource } from '../../testing/fake-event-source.ts';
import type { GateDeps, Visit } from './gate-deps.ts';
import { Gate } from './gate.tsx';

const ask = 'GET /custom/check/';
const enter = 'POST /custom/check/';
const wanted = 'http://nas.localhost/photos/?a=1#x';
const ticketUrl = 'http://nas.localhost/.tongtu/verify?ticket=t';

let left: string[];
/** The captcha's ticket; undefined when the user closes it. */
let solved: string | undefined;
/** The notices of the captchas that were requested. */
let notices: (string | undefined)[];
beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  left = [];
  solved = 'solved';
  notices = [];
  vi.stubGlobal('EventSource', FakeEventSource);
  vi.spyOn(window.location, 'replace').mockImplementation((to) => void left.push(String(to)));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function replyOf(reason: CheckReply['reason'], given: Partial<CheckReply> = {}): CheckReply {
  return { logged_in: false, allowed: false, reason, url: wanted, domain: 'nas.localhost', ...given };
}

const admitted = replyOf('ok', { allowed: true, redirect: ticketUrl });

type Answers = Record<string, (input: unknown) => unknown>;
type CallMade = { key: string; input: unknown };

/** The page around the gate: the place that it was asked to open, and the state for that. */
function Page({ call, visit }: { call: GateDeps['call']; visit: Visit }) {
  const [place, setPlace] = useState<{ path: string; state?: unknown }>({ path: '/check' });
  const query = new URLSearchParams(place.path.split('?')[1]);
  const here = place.path.startsWith('/check?') ? { url: query.get('url') ?? '', share: undefined } : visit;
  const deps: GateDeps = {
    call,
    endSession: async () => undefined,
    solve: async (_purpose, options) => {
      notices.push(options?.notice);
      return solved;
    },
    goTo: (path, { state } = {}) => setPlace({ path, state }),
    forgetUser: () => undefined,
  };
  return (
    <>
      <Gate deps={deps} visit={here} />
      <output>{place.path}</output>
      <output>{JSON.stringify(place.state)}</output>
    </>
  );
}

function open(answers: Answers, query: Partial<Visit> = { url: wanted }): CallMade[] {
  const calls: CallMade[] = [];
  const all: Answers = { 'GET /api/profile/': () => [{ id: 1, username: 'somebody', token: 'tt_x' }], ...answers };
  const call = async (key: string, input: unknown) => {
    calls.push({ key, input });
    const answer = all[key];
    if (!answer) throw new Error(`no answer for ${key}`);
    return await answer(input);
  };
  // The caller lists the answers that the test needs.
  render(<Page call={call as unknown as GateDeps['call']} visit={{ url: '', share: undefined, ...query }} />);
  return calls;
}

function refusalOf(code: string, retryAfterSeconds?: number): ApiError {
  return new ApiError({ type: 'problem', code, status: 403, detail: '', fields: {}, requestId: '', retryAfterSeconds });
}

const typePassword = async (password: string) => {
  fireEvent.change(await screen.findByLabelText('访问密码'), { target: { value: password } });
  fireEvent.click(screen.getByRole('button', { name: '进入' }));
};
const entered = (calls: CallMade[]) =>
  calls.filter(({ key }) => key === enter).map(({ input }) => (input as { body: unknown }).body);

test.each([
  ['an admitted visitor', admitted, ticketUrl],
  ['a visitor of a public page', replyOf('public', { allowed: true, redirect: wanted }), wanted],
])('%s is redirected without a click', async (_who, reply, to) => {
  open({ [ask]: () => reply });
  await waitFor(() => expect(left).toEqual([to]));
});

test('a visitor who returns for the fourth time reads that the browser stores no cookie, and can retry', async () => {
  for (let round = 1; round <= 3; round++) {
    open({ [ask]: () => admitted });
    await waitFor(() => expect(left).toHaveLength(round));
    cleanup();
  }

  const calls = open({ [ask]: () => admitted });
  await screen.findByText('浏览器没有保存验证结果');
  screen.getByText(/没有保存 nas\.localhost 的 Cookie/);
  expect(calls.filter(({ key }) => key === ask)).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: '重试' }));
  await waitFor(() => expect(left).toHaveLength(4));
});

test('the check never redirects to one of the console’s own calls', async () => {
  const logout = new URL('/custom/logout', window.location.href).href;
  open({ [ask]: () => replyOf('public', { allowed: true, redirect: logout }) });
  await screen.findByText('返回首页');
  expect(left).toEqual([]);
});

test('the request has the share link’s code, which admits an anonymous client', async () => {
  const calls = open({ [ask]: () => admitted }, { url: wanted, share: 'a code' });
  await waitFor(() => expect(left).toEqual([ticketUrl]));
  expect(calls[0]).toMatchObject({ key: ask, input: { query: { url: wanted, share: 'a code' } } });
});

const siteKey = 'GET /api/site/config/';
const loginKey = 'POST /custom/login/';
const loginPlace = `/login?url=${encodeURIComponent(wanted)}`;

const logIn = async () => {
  fireEvent.change(await screen.findByLabelText('账号'), { target: { value: 'admin' } });
  fireEvent.change(screen.getByLabelText('密码'), { target: { value: 'a long password' } });
  fireEvent.click(screen.getByRole('button', { name: '登录' }));
};

test('an anonymous client reads what the login is for, logs in at the gate, and is redirected', async () => {
  let isIn = false;
  const calls = open({
    [ask]: () => (isIn ? admitted : replyOf('login_required')),
    [loginKey]: () => {
      isIn = true;
      return { id: 1, second_factor: null };
    },
  });
  await screen.findByRole('heading', { name: '登录后打开 nas.localhost' });
  expect(left).toEqual([]);
  await logIn();
  await waitFor(() => expect(left).toEqual([ticketUrl]));
  expect(calls.find(({ key }) => key === loginKey)).toMatchObject({
    input: { body: { account: 'admin', password: 'a long password' } },
  });
});

test('a refused login says why, and nothing is checked again', async () => {
  const calls = open({
    [ask]: () => replyOf('login_required'),
    [loginKey]: () => Promise.reject(refusalOf('login.failed')),
  });
  await logIn();
  expect((await screen.findByRole('alert')).textContent).toBe(errorCatalogue['login.failed'].zh);
  expect(calls.filter(({ key }) => key === ask)).toHaveLength(1);
});

test('where another sign-in method comes first, the login screen opens at once and keeps the address', async () => {
  open({
    [ask]: () => replyOf('login_required'),
    [siteKey]: () => ({ sso_url: 'https://sso.example.com', phone_login: true }),
  });
  await screen.findByText(loginPlace);
  expect(left).toEqual([]);
});

test('the other sign-in methods are named, and the login screen keeps the address', async () => {
  localStorage.setItem('tongtu.login-way', 'password');
  open({ [ask]: () => replyOf('login_required'), [siteKey]: () => ({ sso_url: null, phone_login: true }) });
  fireEvent.click(await screen.findByRole('button', { name: '其他登录方式（手机验证码）' }));
  await screen.findByText(loginPlace);
});

test('the second step of a login is on the login screen', async () => {
  open({
    [ask]: () => replyOf('login_required'),
    [loginKey]: () => ({ id: 1, second_factor: { token: 'second', methods: ['totp'] } }),
  });
  await logIn();
  await screen.findByText(loginPlace);
  screen.getByText('{"secondStep":{"token":"second","methods":["totp"]}}');
});

test.each([
  ['mapping_disabled', '这个地址已停用'],
  ['device_disabled', '设备已停用'],
  ['no_such_mapping', '没有这个地址'],
  ['address_only', '这个地址按网络放行'],
  ['share_ended', '分享链接已失效'],
  ['plan_expired', '套餐已到期或额度不足'],
  ['over_plan_limit', '套餐已到期或额度不足'],
] as const)('%s has its message, for anonymous clients too', async (reason, title) => {
  open({ [ask]: () => replyOf(reason) });
  await screen.findByText(title);
  expect(left).toEqual([]);
});

test('a visitor with an ended share link can still enter the password', async () => {
  const byLink = (input: unknown) => 'share' in (input as { query: object }).query; // the type of the call
  open(
    { [ask]: (input) => replyOf(byLink(input) ? 'share_ended' : 'password_required') },
    { url: wanted, share: 'old' },
  );
  fireEvent.click(await screen.findByRole('button', { name: '用其他方式打开' }));
  await screen.findByText('请输入访问密码');
});

test('a browser that a used-up link had admitted can open the address directly', async () => {
  open({ [ask]: () => replyOf('share_ended') }, { url: wanted, share: 'used up' });
  expect((await screen.findByRole('link', { name: '直接打开' })).getAttribute('href')).toBe(wanted);
});

test('an account without access is named, and the visitor can switch to another', async () => {
  open({ [ask]: () => replyOf('not_allowed', { logged_in: true }) });
  await screen.findByText(/您登录的账号是“somebody”/);
  fireEvent.click(screen.getByRole('button', { name: '换一个账号' }));
  await screen.findByRole('heading', { name: '登录后打开 nas.localhost' });
});

test('an account without access asks the owner, and goes on once the owner has allowed it', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const refused = replyOf('not_allowed', { logged_in: true });
  let reply = refused;
  const request = 'POST /custom/check/request/';
  const calls = open({
    [ask]: () => reply,
    [request]: () => {
      reply = { ...refused, request: 'pending' };
      return { ok: true };
    },
  });
  fireEvent.change(await screen.findByLabelText(/给所有者的留言/), { target: { value: ' 我是小王 ' } });
  fireEvent.click(screen.getByRole('button', { name: '申请访问' }));
  await screen.findByText(/已申请，等待所有者同意/);
  expect(calls.find(({ key }) => key === request)).toMatchObject({
    input: { body: { url: wanted, message: '我是小王' } },
  });
  reply = admitted;
  await vi.advanceTimersByTimeAsync(5_000);
  await waitFor(() => expect(left).toEqual([ticketUrl]));
});

test('the gate goes on waiting for the owner when one check fails', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const pending = replyOf('not_allowed', { logged_in: true, request: 'pending' });
  let answer: () => unknown = () => pending;
  const calls = open({ [ask]: () => answer() });
  await screen.findByText(/已申请，等待所有者同意/);
  answer = () => Promise.reject(new ApiError({ type: 'network' }));
  await vi.advanceTimersByTimeAsync(5_000);
  await waitFor(() => expect(calls.filter(({ key }) => key === ask)).toHaveLength(2));
  screen.getByText(/已申请，等待所有者同意/);
  answer = () => admitted;
  await vi.advanceTimersByTimeAsync(5_000);
  await waitFor(() => expect(left).toEqual([ticketUrl]));
});

test('what was typed stays when the check on return to the tab fails', async () => {
  let isAway = false;
  const calls = open({
    [ask]: () =>
      isAway ? Promise.reject(new ApiError({ type: 'network' })) : replyOf('not_allowed', { logged_in: true }),
  });
  fireEvent.change(await screen.findByLabelText(/给所有者的留言/), { target: { value: '我是小王' } });
  isAway = true;
  fireEvent(window, new Event('visibilitychange'));
  await waitFor(() => expect(calls.filter(({ key }) => key === ask)).toHaveLength(2));
  await waitFor(() => expect(screen.getByRole('button', { name: '再试一次' }).getAttribute('aria-busy')).toBe('false'));
  expect(screen.getByLabelText<HTMLInputElement>(/给所有者的留言/).value).toBe('我是小王');
});

test.each([
  ['the login', 'login_required', 'visibilitychange'],
  ['the access password', 'password_required', 'focus'],
] as const)(
  'who was asked for %s and has logged in in another tab goes on when they return',
  async (_what, reason, event) => {
    let reply = replyOf(reason);
    const calls = open({ [ask]: () => reply });
    const typed = await screen.findByLabelText<HTMLInputElement>(reason === 'login_required' ? '账号' : '访问密码');
    fireEvent.change(typed, { target: { value: 'half of it' } });
    fireEvent(window, new Event(event));
    await waitFor(() => expect(calls.filter(({ key }) => key === ask)).toHaveLength(2));
    expect(typed.isConnected).toBe(true);
    expect(typed.value).toBe('half of it');

    reply = admitted;
    await waitFor(() => {
      fireEvent(window, new Event(event));
      expect(left).toEqual([ticketUrl]);
    });
  },
);

test('one return to the tab, which has two events, asks once', async () => {
  const calls = open({ [ask]: () => replyOf('login_required') });
  await screen.findByLabelText('账号');
  fireEvent(window, new Event('visibilitychange'));
  fireEvent(window, new Event('focus'));
  await waitFor(() => expect(calls.filter(({ key }) => key === ask)).toHaveLength(2));
  await screen.findByLabelText('账号');
  expect(calls.filter(({ key }) => key === ask)).toHaveLength(2);
});

test('an account that has asked goes on at once when the server says that something is shared with it', async () => {
  let reply = replyOf('not_allowed', { logged_in: true, request: 'pending' });
  const calls = open({ [ask]: () => reply });
  await screen.findByText(/已申请，等待所有者同意/);
  const asked = calls.filter(({ key }) => key === ask).length;
  reply = admitted;

  FakeEventSource.last?.send('devices');
  FakeEventSource.last?.send('shared_with_me');

  await waitFor(() => expect(left).toEqual([ticketUrl]));
  expect(calls.filter(({ key }) => key === ask)).toHaveLength(asked + 1);
});

test('an account whose request was refused reads so, and cannot ask again', async () => {
  open({ [ask]: () => replyOf('not_allowed', { logged_in: true, request: 'refused' }) });
  await screen.findByText(/所有者没有同意您的申请/);
  expect(screen.queryByRole('button', { name: '申请访问' })).toBeNull();
});

const moment = new Date(2026, 11, 24, 8, 30).toISOString();
const ipKey = 'POST /ip/checkUserDidRegisterIP';

test.each(['not_allowed', 'password_required', 'address_only', 'share_ended'] as const)(
  'for %s an allowed network is named with its end, beside a button to open the address',
  async (reason) => {
    const calls = open({
      [ask]: () => replyOf(reason, { logged_in: true }),
      [ipKey]: () => ({ registered: true, ip: '203.0.113.9', expires_at: moment }),
    });
    await screen.findByText(/已放行，至 (2026-)?12-24 08:30。/);
    screen.getByText('203.0.113.9');
    const links = screen.getAllByRole('link', { name: '直接打开' });
    expect(links.map((link) => link.getAttribute('href'))).toContain(wanted);
    expect(calls.find(({ key }) => key === ipKey)).toMatchObject({ input: { body: { url: wanted } } });
  },
);

test('a network that is not allowed is named as such', async () => {
  open({
    [ask]: () => replyOf('address_only'),
    [ipKey]: () => ({ registered: false, ip: '203.0.113.9', expires_at: null }),
  });
  await screen.findByText(/尚未放行/);
  screen.getByText('203.0.113.9');
  expect(screen.queryByRole('link', { name: '直接打开' })).toBeNull();
});

test('where an address cannot help, the network is not checked', async () => {
  const calls = open({ [ask]: () => replyOf('mapping_disabled') });
  await screen.findByText('这个地址已停用');
  expect(calls.filter(({ key }) => key === ipKey)).toEqual([]);
});

const times: PublicRouterInfo = {
  domain: 'nas.localhost',
  state: 'closed',
  since: null,
  offline_reason: null,
  opens_at: null,
  closes_at: null,
  hours: null,
};
const hours = { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' };
test.each([
  ['closed', {}, /已被所有者设为禁止访问/],
  ['closed', { closes_at: moment }, /已于 (2026-)?12-24 08:30 结束/],
  ['not_open_yet', { opens_at: moment }, /将于 (2026-)?12-24 08:30 开放/],
  ['outside_hours', { hours }, /开放时段是周一至周五 08:00–18:00（北京时间）/],
] as const)('%s is explained with its times %j, and can be retried', async (reason, given, words) => {
  let reply = replyOf(reason);
  open({ [ask]: () => reply, 'GET /api/router_info/': () => ({ ...times, state: reason, ...given }) });
  await screen.findByText(words);
  reply = admitted;
  fireEvent.click(screen.getByRole('button', { name: '再试一次' }));
  await waitFor(() => expect(left).toEqual([ticketUrl]));
});

test.each(['closed', 'mapping_disabled', 'device_disabled'] as const)(
  'a logged-in visitor can go from %s to the error screen',
  async (reason) => {
    open({ [ask]: () => replyOf(reason, { logged_in: true }), 'GET /api/router_info/': () => times });
    fireEvent.click(await screen.findByRole('button', { name: '查看原因' }));
    await screen.findByText('/errorport?invalidDomain=nas.localhost');
  },
);

test('a reason without its times is shown when the times cannot be loaded', async () => {
  open({
    [ask]: () => replyOf('outside_hours'),
    'GET /api/router_info/': () => Promise.reject(refusalOf('server.internal')),
  });
  await screen.findByText('nas.localhost 只在固定的时段开放，请在时段内再来。');
});

test.each([
  ['not_allowed', true],
  ['mapping_disabled', false],
  ['device_disabled', false],
  ['plan_expired', false],
] as const)('%s can be retried', async (reason, loggedIn) => {
  let reply = replyOf(reason, { logged_in: loggedIn });
  open({ [ask]: () => reply });
  const again = await screen.findByRole('button', { name: '再试一次' });
  reply = admitted;
  fireEvent.click(again);
  await waitFor(() => expect(left).toEqual([ticketUrl]));
});

test('a visitor who returns after the refusal was lifted is redirected', async () => {
  let reply = replyOf('not_allowed', { logged_in: true });
  open({ [ask]: () => reply });
  await screen.findByText('当前账号不能打开这个地址');
  reply = admitted;
  fireEvent(window, new Event('visibilitychange'));
  await waitFor(() => expect(left).toEqual([ticketUrl]));
});

const offline = replyOf('device_offline', { logged_in: true, allowed: true, redirect: ticketUrl });
const stateKey = 'GET /api/router_info/';

test('the gate waits for an offline device without requesting tickets, and opens it when it is back', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let isBack = false;
  const calls = open({
    [ask]: () => (isBack ? admitted : offline),
    [stateKey]: () => ({ ...times, state: isBack ? 'online' : 'offline' }),
  });
  await screen.findByText('设备不在线');
  await vi.advanceTimersByTimeAsync(25_000);
  await waitFor(() => expect(calls.filter(({ key }) => key === stateKey).length).toBeGreaterThan(1));
  expect(calls.filter(({ key }) => key === ask)).toHaveLength(1);
  expect(left).toEqual([]);
  isBack = true;
  await vi.advanceTimersByTimeAsync(10_000);
  await waitFor(() => expect(left).toEqual([ticketUrl]));
});

test('after the wait a visitor by password enters it again, because the first ticket has expired', async () => {
  let isBack = false;
  open({
    [ask]: () => (isBack ? replyOf('password_required') : offline),
    [stateKey]: () => {
      isBack = true;
      return { ...times, state: 'online' };
    },
  });
  await screen.findByLabelText('访问密码');
  expect(left).toEqual([]);
});

test('an address that is closed during the wait says so', async () => {
  let reply = offline;
  open({
    [ask]: () => reply,
    [stateKey]: () => {
      reply = replyOf('mapping_disabled', { logged_in: true });
      return { ...times, state: 'mapping_disabled' };
    },
  });
  await screen.findByText('这个地址已停用');
  expect(left).toEqual([]);
});

test('before an offline device the visitor reads so, and may continue with a new ticket', async () => {
  let count = 0;
  const away = { logged_in: true, allowed: true, device: { id: 7, name: '群晖' } };
  open({
    [ask]: () => replyOf('device_offline', { ...away, redirect: `${ticketUrl}${++count}` }),
    [stateKey]: () => ({ ...times, state: 'offline' }),
  });
  await screen.findByText('设备不在线');
  expect(left).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: '仍要打开' }));
  await waitFor(() => expect(left).toEqual([`${ticketUrl}2`]));
});

test('a click in the moment in which the button appears counts', async () => {
  const observer = new MutationObserver(() => {
    const button = screen.queryByRole('button', { name: '仍要打开' });
    if (!button) return;
    observer.disconnect();
    button.click();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  open({
    [ask]: () => replyOf('device_offline', { allowed: true, redirect: ticketUrl }),
    [stateKey]: () => ({ ...times, state: 'offline' }),
  });
  await waitFor(() => expect(left).toEqual([ticketUrl]));
});

test('a visitor who goes elsewhere before the new ticket has arrived stays there', async () => {
  const fresh = Promise.withResolvers<CheckReply>();
  let count = 0;
  const calls = open({
    [ask]: () => (count++ === 0 ? offline : fresh.promise),
    [stateKey]: () => ({ ...times, state: 'offline' }),
  });
  fireEvent.click(await screen.findByRole('button', { name: '仍要打开' }));
  await waitFor(() => expect(calls.filter(({ key }) => key === ask)).toHaveLength(2));
  cleanup(); // as when the console takes the gate's place
  fresh.resolve(offline);
  await new Promise((resolve) => {
    setTimeout(resolve);
  });
  expect(left).toEqual([]);
});

test('a visitor by password continues to an offline device with the first ticket', async () => {
  const calls = open({
    [ask]: () => replyOf('password_required'),
    [enter]: () => replyOf('device_offline', { allowed: true, redirect: ticketUrl }),
  });
  await typePassword('open sesame');
  fireEvent.click(await screen.findByRole('button', { name: '仍要打开' }));
  await waitFor(() => expect(left).toEqual([ticketUrl]));
  expect(calls.filter(({ key }) => key === ask)).toHaveLength(2);
  screen.getByText('设备不在线');
});

test('a wrong password is reported, the right one admits the visitor', async () => {
  const calls = open({
    [ask]: () => replyOf('password_required'),
    [enter]: (input) => {
      const { body } = input as { body: { password: string } }; // the type of the call
      return body.password === 'open sesame' ? admitted : Promise.reject(refusalOf('gate.password-wrong'));
    },
  });
  await typePassword('sesame');
  await screen.findByText('访问密码不正确');
  await typePassword('open sesame');
  await waitFor(() => expect(left).toEqual([ticketUrl]));
  expect(entered(calls)).toEqual([
    { url: wanted, password: 'sesame' },
    { url: wanted, password: 'open sesame' },
  ]);
});

test('without a password nothing is sent', async () => {
  const calls = open({ [ask]: () => replyOf('password_required') });
  fireEvent.click(await screen.findByRole('button', { name: '进入' }));
  expect(screen.getAllByText('请输入访问密码').map(({ tagName }) => tagName)).toEqual(['H1', 'SPAN']);
  expect(entered(calls)).toEqual([]);
});

test('after a captcha the same password is sent with its ticket', async () => {
  const calls = open({
    [ask]: () => replyOf('password_required'),
    [enter]: (input) => {
      const { body } = input as { body: { ticket?: string } }; // the type of the call
      return body.ticket === 'solved' ? admitted : Promise.reject(refusalOf('captcha.required'));
    },
  });
  await typePassword('open sesame');
  await waitFor(() => expect(left).toEqual([ticketUrl]));
  expect(entered(calls)).toEqual([
    { url: wanted, password: 'open sesame' },
    { url: wanted, password: 'open sesame', ticket: 'solved' },
  ]);
});

const need = 'GET /api/verify/captcha/init/';

test('where the server requires a captcha, the password is sent only after it is solved', async () => {
  const calls = open({
    [ask]: () => replyOf('password_required'),
    [need]: () => ({ required: true, type: 'slide', key: 'chosen' }),
    [enter]: () => admitted,
  });
  await typePassword('open sesame');
  await waitFor(() => expect(left).toEqual([ticketUrl]));
  expect(calls.find(({ key }) => key === need)).toMatchObject({ input: { query: { purpose: 'gate_password' } } });
  expect(entered(calls)).toEqual([{ url: wanted, password: 'open sesame', ticket: 'solved' }]);
});

test('a visitor who closes the first captcha has sent no password', async () => {
  solved = undefined;
  const calls = open({
    [ask]: () => replyOf('password_required'),
    [need]: () => ({ required: true, type: 'slide', key: 'chosen' }),
    [enter]: () => admitted,
  });
  await typePassword('open sesame');
  await screen.findByText('请完成人机验证后再试');
  expect(entered(calls)).toEqual([]);
  expect(left).toEqual([]);
});

test('an expired ticket is replaced by one more captcha, with a message', async () => {
  const calls = open({
    [ask]: () => replyOf('password_required'),
    [enter]: (input) => {
      const { body } = input as { body: { ticket?: string } }; // the type of the call
      if (body.ticket === undefined) return Promise.reject(refusalOf('captcha.required'));
      return notices.length === 2 ? admitted : Promise.reject(refusalOf('captcha.ticket-expired'));
    },
  });
  await typePassword('open sesame');
  await waitFor(() => expect(left).toEqual([ticketUrl]));
  expect(notices).toEqual([undefined, '人机验证已过期，请再试一次']);
  expect(entered(calls)).toHaveLength(3);
});

test('a visitor who closes the captcha stays at the password', async () => {
  solved = undefined;
  const calls = open({
    [ask]: () => replyOf('password_required'),
    [enter]: () => Promise.reject(refusalOf('captcha.required')),
  });
  await typePassword('open sesame');
  await screen.findByText('请完成人机验证后再试');
  expect(entered(calls)).toHaveLength(1);
  expect(left).toEqual([]);
});

test('too many wrong passwords are reported, and owner and members can log in instead', async () => {
  open({
    [ask]: () => replyOf('password_required'),
    [enter]: () => Promise.reject(refusalOf('gate.password-locked', 900)),
  });
  await typePassword('sesame');
  await screen.findByText(/密码错误次数过多/);
  fireEvent.click(screen.getByRole('button', { name: '登录后打开' }));
  await screen.findByRole('heading', { name: '登录后打开 nas.localhost' });
});

test('a mapping that was closed while the password was typed says so', async () => {
  open({
    [ask]: () => replyOf('password_required'),
    [enter]: () => replyOf('closed'),
    'GET /api/router_info/': () => times,
  });
  await typePassword('open sesame');
  await screen.findByText('这个地址现在不能访问');
});

test('neither a foreign address nor a reply without a web address is opened', async () => {
  open({ [ask]: () => Promise.reject(refusalOf('gate.url-not-allowed')) }, { url: 'https://evil.example/' });
  await screen.findByText('不能前往这个网址');
  expect(screen.queryByText('重试')).toBeNull();
  cleanup();
  open({ [ask]: () => replyOf('ok', { allowed: true, redirect: 'javascript:alert(1)' }) });
  await screen.findByText('没有这个地址');
  expect(left).toEqual([]);
});

test('without an address there is nothing to check', async () => {
  const calls = open({}, {});
  await screen.findByText('缺少要验证的网址');
  expect(calls).toEqual([]);
});
