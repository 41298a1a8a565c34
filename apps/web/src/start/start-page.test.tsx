import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { storePendingLogin } from '../features/login/wechat/wechat-note.ts';
import { sessionLost } from '../routing/paths.ts';
import type { StartFailures } from './start-failures.ts';
import { startPage } from './start-page.tsx';

const me = { id: 1, username: 'admin', token: 'tt_secret' };
const wanted = 'http://nas.localhost/';
const gate = `#/check?url=${encodeURIComponent(wanted)}`;
const loginGate = { logged_in: false, allowed: false, reason: 'login_required', url: wanted, domain: 'nas.localhost' };
const ticketUrl = 'http://nas.localhost/.tongtu/verify?ticket=t';

type Answers = Record<string, unknown>;

let stop: (() => void) | undefined;
let calls: string[];
const openConsole = vi.fn<(failures: StartFailures) => void>();
const solveCaptcha = vi.fn<() => Promise<string | undefined>>();
let isConsoleAway: boolean;
/** The console's files have arrived. */
let consoleLoaded: Promise<void>;

beforeEach(() => {
  calls = [];
  isConsoleAway = false;
  consoleLoaded = Promise.resolve();
  openConsole.mockReset();
  solveCaptcha.mockReset();
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/');
  document.body.innerHTML = '<div id="root"></div>';
});
afterEach(() => {
  stop?.();
  stop = undefined;
  vi.restoreAllMocks();
});

const defaults: Answers = {
  'GET /api/announcement/announcements/': [],
  'GET /api/profile/': [],
  'GET /api/site/config/': { sso_url: null, phone_login: false },
};

async function visit(hash: string, answers: Answers = {}): Promise<void> {
  window.location.hash = hash;
  const container = document.querySelector<HTMLElement>('#root');
  if (!container) throw new Error('no container');
  const known = { ...defaults, ...answers };
  const asked = calls;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(String(input instanceof Request ? input.url : input), 'http://localhost:3000');
    const key = `${init?.method ?? 'GET'} ${pathname}`;
    asked.push(key);
    if (!(key in known)) throw new TypeError('connection refused');
    const answer = known[key];
    return Response.json(await (typeof answer === 'function' ? answer() : answer));
  };
  stop = await startPage({
    stylesLoaded: Promise.resolve(),
    fetch,
    container,
    report: () => undefined,
    loadConsole: async () => {
      if (isConsoleAway) throw new TypeError('Failed to fetch dynamically imported module');
      await consoleLoaded;
      return { open: openConsole };
    },
    loadCaptcha: async () => ({ solveCaptcha: () => solveCaptcha }),
    preloadConsole: () => undefined,
  });
}

async function logIn(): Promise<void> {
  fireEvent.change(await screen.findByLabelText('账号'), { target: { value: 'admin' } });
  fireEvent.change(screen.getByLabelText('密码', { selector: 'input' }), { target: { value: 'a long password' } });
  fireEvent.click(screen.getByRole('button', { name: '登录' }));
}

const loginAnswers = () => {
  let isIn = false;
  return {
    'GET /api/profile/': () => (isIn ? [me] : []),
    'POST /custom/login/': () => {
      isIn = true;
      return { id: 1, second_factor: null };
    },
  };
};

test('announcements are loaded before anything else', async () => {
  await visit('#/login');
  await screen.findByLabelText('账号');
  expect(calls[0]).toBe('GET /api/announcement/announcements/');
});

test('a user who is logged in gets the console', async () => {
  await visit('#/devices', { 'GET /api/profile/': [me] });
  await vi.waitFor(() => expect(openConsole).toHaveBeenCalledOnce());
});

test.each([
  ['#/', '#/login'],
  ['#/devices', '#/login'],
  ['#/user/info', '#/login?url=%23%2Fuser%2Finfo'],
  ['#/errorport?invalidDomain=nas.localhost', '#/login?invalidDomain=nas.localhost'],
  ['#/no-such-page?a=1', '#/login'],
])('an anonymous client is redirected from %s to %s, without the console', async (from, to) => {
  await visit(from);
  await screen.findByLabelText('账号');
  expect([window.location.hash, document.title]).toEqual([to, '通途 - 登录']);
  expect(openConsole).not.toHaveBeenCalled();
});

test('after the login the console opens', async () => {
  await visit('#/login', loginAnswers());
  await logIn();
  await vi.waitFor(() => expect(openConsole).toHaveBeenCalledOnce());
});

test.each([
  ['visibilitychange', '#/login', ''],
  ['focus', '#/login?url=http%3A%2F%2Fnas.localhost%2F', gate],
])('who has logged in in another tab and returns (%s) to %s goes on', async (event, hash, to) => {
  let isIn = false;
  await visit(hash, { 'GET /api/profile/': () => (isIn ? [me] : []), 'GET /custom/check/': loginGate });
  fireEvent.change(await screen.findByLabelText('账号'), { target: { value: 'adm' } });
  const profiles = () => calls.filter((call) => call === 'GET /api/profile/').length;
  const before = profiles();
  fireEvent(window, new Event(event));
  await vi.waitFor(() => expect(profiles()).toBe(before + 1));
  expect(screen.getByLabelText<HTMLInputElement>('账号').value).toBe('adm');
  expect([window.location.hash, openConsole.mock.calls.length]).toEqual([hash, 0]);

  isIn = true;
  await vi.waitFor(() => {
    fireEvent(window, new Event(event)); // one that comes during a check starts no other
    if (to === '') expect(openConsole).toHaveBeenCalledOnce();
    else expect(window.location.hash).toBe(to);
  });
});

test('two logins at once open one console', async () => {
  const files = Promise.withResolvers<void>();
  consoleLoaded = files.promise;
  await visit('#/login', {
    ...loginAnswers(),
    'GET /api/site/config/': { sso_url: null, phone_login: true, phone_regions: ['86'] },
    'POST /api/verify/login/phone/': {},
  });
  fireEvent.click(await screen.findByRole('tab', { name: '密码' }));
  await logIn();
  await vi.waitFor(() => expect(calls).toContain('POST /custom/login/'));
  fireEvent.click(screen.getByRole('tab', { name: '手机验证码' }));
  fireEvent.change(await screen.findByLabelText('手机号'), { target: { value: '13800138000' } });
  fireEvent.change(screen.getByLabelText('短信验证码', { selector: 'input' }), { target: { value: '123456' } });
  fireEvent.click(screen.getByRole('checkbox'));
  fireEvent.click(screen.getByRole('button', { name: '登录' }));
  await vi.waitFor(() => expect(calls).toContain('POST /api/verify/login/phone/'));
  files.resolve();
  await vi.waitFor(() => expect(openConsole).toHaveBeenCalled());
  await new Promise((resolve) => {
    setTimeout(resolve);
  });
  expect(openConsole).toHaveBeenCalledOnce();
});

test.each([
  ['not shown while the console is loading', true, 0],
  ['shown otherwise', false, 1],
])('a captcha that a login requires is %s', async (_words, isReturning, count) => {
  const need = Promise.withResolvers<object>();
  const files = Promise.withResolvers<void>();
  consoleLoaded = files.promise;
  let isIn = false;
  await visit('#/login', {
    'GET /api/profile/': () => (isIn ? [me] : []),
    'GET /api/verify/captcha/init/': () => need.promise,
  });
  await logIn();
  isIn = isReturning;
  const asked = calls.length;
  fireEvent.focus(window);
  await vi.waitFor(() => expect(calls.slice(asked)).toContain('GET /api/profile/'));
  need.resolve({ required: true, type: 'click', key: 'chosen' });
  await screen.findByText('请先完成人机验证');
  expect(solveCaptcha).toHaveBeenCalledTimes(count);
  files.resolve();
});

test('after the login for an address the gate opens it, without the console', async () => {
  const left: string[] = [];
  vi.spyOn(window.location, 'replace').mockImplementation((to) => {
    if (String(to).startsWith('#')) window.location.hash = String(to);
    else left.push(String(to));
  });
  await visit(`#/login?url=${encodeURIComponent(wanted)}`, {
    ...loginAnswers(),
    'GET /custom/check/': { ...loginGate, logged_in: true, allowed: true, reason: 'ok', redirect: ticketUrl },
  });
  await logIn();
  await vi.waitFor(() => expect(left).toEqual([ticketUrl]));
  expect(openConsole).not.toHaveBeenCalled();
});

test('the second step of a login at the gate is on the login screen, and leads back to the gate', async () => {
  const left = vi.spyOn(window.location, 'replace').mockReturnValue();
  let isIn = false;
  await visit(gate, {
    'POST /custom/login/': { id: 0, second_factor: { token: 'second', methods: ['totp'] } },
    'POST /custom/login/second/': () => {
      isIn = true;
      return { id: 1 };
    },
    'GET /custom/check/': () => (isIn ? { ...loginGate, allowed: true, redirect: ticketUrl } : loginGate),
  });
  await logIn();
  fireEvent.change(await screen.findByLabelText('动态口令'), { target: { value: '123 456' } });
  expect(window.location.hash).toBe(`#/login?${new URLSearchParams({ url: wanted })}`);
  await vi.waitFor(() => expect(left).toHaveBeenCalledWith(ticketUrl));
  expect(openConsole).not.toHaveBeenCalled();
});

test.each([
  [wanted, '登录后打开 nas.localhost'],
  ['#/user/info', '登录控制台'],
  [`${window.location.origin}/custom/logout`, '登录控制台'],
  ['javascript:alert(1)', '登录控制台'],
])('the login for %s says what it opens: %s', async (url, title) => {
  await visit(`#/login?${new URLSearchParams({ url })}`, {
    'GET /api/site/config/': { sso_url: null, phone_login: true, phone_regions: ['86'] },
  });
  await screen.findByLabelText('短信验证码');
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe(title);
});

test('every sign-in method is shown without the console', async () => {
  await visit('#/login', {
    'GET /api/site/config/': { sso_url: null, phone_login: true, phone_regions: ['86', '852'] },
  });
  await screen.findByLabelText('短信验证码');
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['手机验证码', '密码']);
  expect(openConsole).not.toHaveBeenCalled();
});

test('a user whose session was lost reads so', async () => {
  window.history.replaceState({ usr: sessionLost }, '', '#/login');
  await visit('#/login');
  await screen.findByText('登录已失效，请重新登录');
});

test.each([
  ['#/login?url=%23%2Frecord&aff=7', '#/login?url=%23%2Frecord&aff=7'],
  ['#/user/info', '#/login'],
])('back from WeChat’s page, an anonymous client who left %s comes to %s', async (from, to) => {
  window.location.hash = from;
  storePendingLogin('state-1');
  await visit('#/login');
  await screen.findByLabelText('账号');
  expect(window.location.hash).toBe(to);
});

test('the gate asks neither for a profile nor for the console', async () => {
  await visit(gate, { 'GET /custom/check/': loginGate });
  await screen.findByRole('heading', { name: '登录后打开 nas.localhost' });
  expect(document.title).toBe('通途 - 验证登录');
  expect(calls).not.toContain('GET /api/profile/');
  expect(openConsole).not.toHaveBeenCalled();
});

test('without an answer to who is logged in the console shows the failure', async () => {
  await visit('#/devices', { 'GET /api/profile/': () => Promise.reject(new TypeError('connection refused')) });
  await vi.waitFor(() => expect(openConsole).toHaveBeenCalledOnce());
  expect(openConsole).toHaveBeenCalledWith({ 'GET /api/profile/': { type: 'network' } });
  expect(calls.filter((call) => call === 'GET /api/profile/')).toHaveLength(1);
});

test('the profile is asked for while the announcements are, and nothing is shown before these', async () => {
  const announcements = Promise.withResolvers<unknown[]>();
  const visiting = visit('#/devices', {
    'GET /api/announcement/announcements/': () => announcements.promise,
    'GET /api/profile/': [me],
  });
  await vi.waitFor(() => expect(calls).toContain('GET /api/profile/'));
  expect(openConsole).not.toHaveBeenCalled();
  announcements.resolve([]);
  await visiting;
  await vi.waitFor(() => expect(openConsole).toHaveBeenCalledWith({}));
  expect(calls.filter((call) => call === 'GET /api/profile/')).toHaveLength(1);
});

test('when the console’s files do not arrive, the page says so and can be reloaded', async () => {
  isConsoleAway = true;
  const reload = vi.spyOn(window.location, 'reload').mockReturnValue();
  await visit('#/devices', { 'GET /api/profile/': [me] });
  fireEvent.click(await screen.findByRole('button', { name: '刷新页面' }));
  expect(reload).toHaveBeenCalledOnce();
});
