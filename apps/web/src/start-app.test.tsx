import { fireEvent, screen } from '@testing-library/react';
import type { Window } from 'happy-dom';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deviceOf, mappingOf } from './testing/device-fixtures.ts';
import { readScreenState, sessionLost } from './routing/paths.ts';
import { screens } from './routing/screens.ts';
import { startApp, type StartDeps } from './start-app.tsx';
import { setUpTimes } from './text/time.ts';

setUpTimes();

const me = { id: 1, username: 'admin', token: 'tt_secret', readed_announcement_id: 0 };
const announcement = {
  ...{ id: 2, title: '维护', detail: '今晚升级', url: '', display: true },
  published_at: '2026-11-01T00:00:00.000Z',
};
const device = deviceOf({ mappings: [mappingOf()] });
const waiting = { timeout: 15_000 };

type Answers = Record<string, unknown>;
type Call = { key: string; query: string; body: unknown; shownUser: string | null };

/** happy-dom has no EventSource. A stream without events is valid, too. */
class SilentEventSource extends EventTarget {
  static readonly CLOSED = 2;
  readonly readyState = 0;
  close(): void {}
}

function reduceMotion(): void {
  const { happyDOM } = window as unknown as Window; // vitest's environment types its window as a browser's
  happyDOM.settings.device.prefersReducedMotion = 'reduce';
}

let stop: (() => void) | undefined;
let calls: Call[];

beforeEach(() => {
  calls = [];
  vi.stubGlobal('EventSource', SilentEventSource);
  // A closing dialog waits for its animation, which does not run here.
  reduceMotion();
  document.body.innerHTML = '<div id="root"></div>';
  document.title = '';
});
afterEach(() => {
  stop?.();
  stop = undefined;
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
// The console may just be prefetching them. One that arrives without a page would be broken for the next files, too.
afterAll(async () => void (await Promise.all(Object.values(screens).map((load) => load()))));

const defaults: Answers = {
  'GET /api/announcement/announcements/': [],
  'GET /api/profile/': [],
  'GET /api/site/config/': {
    base_domain: 'localhost',
    console_url: 'http://localhost:3000',
    mapping_ports: { from: 20_000, to: 20_999 },
    version: '',
    billing: 'off',
    sso_url: null,
    phone_login: false,
    phone_regions: ['86'],
    mail_codes: false,
  },
  'GET /api/user/routers/': { count: 0, next: null, previous: null, results: [] },
  'GET /api/user/shared_with_me/': [],
};

/** A server of canned answers. A function computes the answer; a missing answer is a network failure. */
function serverOf(answers: Answers): typeof fetch {
  const known = { ...defaults, ...answers };
  const asked = calls; // calls that this test's console makes during its removal do not count for the next test
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, 'http://localhost:3000');
    const key = `${init?.method ?? 'GET'} ${url.pathname}`;
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    asked.push({ key, query: url.search, body, shownUser: new Headers(init?.headers).get('x-user-id') });
    if (!(key in known)) throw new TypeError('connection refused');
    const answer = known[key];
    const value: unknown = typeof answer === 'function' ? answer(init) : answer;
    const settled = await value;
    return settled instanceof Response ? settled : Response.json(settled);
  };
}

async function visit(hash: string, answers: Answers = {}, more: Partial<StartDeps> = {}): Promise<void> {
  window.location.hash = hash;
  const container = document.querySelector<HTMLElement>('#root');
  if (!container) throw new Error('no container');
  stop = await startApp({ fetch: serverOf(answers), container, report: () => undefined, ...more });
}

/** The page is loaded anew, so that its start shows the login. */
function watchReloads() {
  return vi.spyOn(window.location, 'reload').mockReturnValue();
}

async function expectLogin(reload: ReturnType<typeof watchReloads>, hash: string): Promise<void> {
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce(), waiting);
  expect(window.location.hash).toBe(hash);
}

const stateHere = () => readScreenState(window.history.state);

async function expectPlace(hash: string, title: string): Promise<void> {
  await vi.waitFor(() => expect([window.location.hash, document.title]).toEqual([hash, title]), waiting);
}

async function expectText(text: string): Promise<void> {
  await vi.waitFor(() => expect(document.body.textContent).toContain(text), waiting);
}

test('a user who has logged in for a screen gets it', async () => {
  const replace = vi.spyOn(window.location, 'replace').mockReturnValue();
  await visit('#/login?url=%23%2Fuser%2Finfo', { 'GET /api/profile/': [me] });
  await vi.waitFor(() => expect(replace).toHaveBeenCalledWith('http://localhost:3000/#/user/info'), waiting);
});

test('after a login the profile may take three tries', async () => {
  let tries = 0;
  await visit('#/login', {
    'GET /api/profile/': () => (++tries < 3 ? Promise.reject(new TypeError('connection refused')) : [me]),
  });
  await expectPlace('#/devices', '通途 - 我的设备');
});

test('a user whose session was lost reads so on the login screen', async () => {
  const reload = watchReloads();
  const unknown = () => Response.json({ code: 'session.required' }, { status: 401 });
  await visit('#/devices', { 'GET /api/profile/': [me], 'GET /api/user/routers/': unknown });
  await expectLogin(reload, `#/login?${new URLSearchParams({ url: 'http://localhost:3000/#/devices' })}`);
  expect(stateHere()).toBe(sessionLost);
});

test('a user who logged out in another tab reads so after returning to this one', async () => {
  const reload = watchReloads();
  let profiles: unknown[] = [me];
  await visit('#/user/info', { 'GET /api/profile/': () => profiles });
  await expectText('修改密码');
  profiles = [];
  window.dispatchEvent(new Event('visibilitychange'));
  await expectLogin(reload, `#/login?${new URLSearchParams({ url: 'http://localhost:3000/#/user/info' })}`);
  expect(stateHere()).toBe(sessionLost);
});

test('the console of the previous user does nothing for the next one, and asks for a reload', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockReturnValue();
  await visit('#/devices', {
    'GET /api/profile/': [me],
    'GET /api/announcement/announcements/': [announcement],
    'PATCH /api/profile/1/': () => Response.json({ code: 'session.changed' }, { status: 409 }),
  });
  fireEvent.click(await screen.findByRole('button', { name: '知道了' }, waiting));
  await expectText('这个浏览器现在登录的是另一个账号');
  expect(calls.find(({ key }) => key === 'PATCH /api/profile/1/')?.shownUser).toBe('1');
  fireEvent.click(screen.getByRole('button', { name: '刷新' }));
  expect(reload).toHaveBeenCalledOnce();
});

test('a console that learns of the next user asks for a reload, and still sends the id of the previous user', async () => {
  let profiles: unknown[] = [me];
  await visit('#/devices', {
    'GET /api/profile/': () => profiles,
    'GET /api/announcement/announcements/': [announcement],
    'PATCH /api/profile/1/': () => Response.json({ code: 'session.changed' }, { status: 409 }),
    'PATCH /api/profile/2/': () => Response.json({ code: 'session.changed' }, { status: 409 }),
  });
  const known = await screen.findByRole('button', { name: '知道了' }, waiting);
  profiles = [{ ...me, id: 2, username: 'kate' }];
  window.dispatchEvent(new Event('visibilitychange'));
  await expectText('这个浏览器现在登录的是另一个账号');
  fireEvent.click(known);
  await vi.waitFor(() => expect(calls.some(({ key }) => key.startsWith('PATCH'))).toBe(true), waiting);
  expect(calls.find(({ key }) => key.startsWith('PATCH'))?.shownUser).toBe('1');
});

test('logging out does not count as a lost session', async () => {
  document.cookie = 'csrftoken=own';
  const assign = vi.spyOn(window.location, 'assign').mockReturnValue();
  let profiles: unknown[] = [me];
  await visit('#/devices', { 'GET /api/profile/': () => profiles });
  fireEvent.click(await screen.findByRole('button', { name: /账号菜单/ }));
  fireEvent.click(await screen.findByText('退出登录'));
  profiles = [];
  window.dispatchEvent(new Event('visibilitychange'));
  // With its token, for browsers that send neither Origin nor Referer.
  await vi.waitFor(() => expect(assign).toHaveBeenCalledWith('/custom/logout?user=1&csrf=own'), waiting);
  document.cookie = 'csrftoken=; Max-Age=0';
  expect(window.location.hash).toBe('#/devices');
  expect(document.body.textContent).not.toContain('登录已失效');
});

test('the diagnosis of an address runs its connection test once', async () => {
  await visit('#/devices?domain=nas.localhost&check=1', {
    'GET /api/profile/': [me],
    'GET /api/user/routers/': { count: 1, next: null, previous: null, results: [device] },
    'POST /api/user/routers/7/check_domain_connection/': {
      ok: true,
      step: 'http',
      ms: 5,
      hint: '一切正常',
      warning: '只连上了一个中继',
    },
  });
  await expectText('一切正常');
  await expectText('只连上了一个中继');
  expect(window.location.hash).toBe('#/devices?domain=nas.localhost');
  const checks = calls.filter(({ key }) => key.includes('check_domain_connection'));
  expect(checks.map(({ body }) => body)).toEqual([{ record: 3 }]);
});

test('a screen that failed to load because of the network is loaded again when the network is back', async () => {
  const reload = vi.fn<() => Promise<boolean>>(async () => true);
  vi.stubGlobal('tongtu', { replies: {}, reloadIfServed: reload });
  let isBack = false;
  await visit('#/devices', {
    'GET /api/profile/': () => Promise.reject(new TypeError('connection refused')),
    'GET /api/login_status/': () => (isBack ? { logged_in: true, id: 1 } : Promise.reject(new TypeError('refused'))),
  });
  await expectText('连不上服务器');
  expect(reload).not.toHaveBeenCalled();
  isBack = true;
  [...document.querySelectorAll('button')].find((each) => each.textContent === '重试')?.click();
  await vi.waitFor(() => expect(reload).toHaveBeenCalled(), waiting);
});

test('a profile that has just failed shows its failure at once, without a second call', async () => {
  const failures = { 'GET /api/profile/': { type: 'timeout' } } as const;
  await visit('#/devices', { 'GET /api/profile/': [me] }, { failures });
  await screen.findByRole('button', { name: '重试' }, waiting);
  expect(calls.filter(({ key }) => key === 'GET /api/profile/')).toEqual([]);
});

test('announcements are fetched before anything else', async () => {
  const reload = watchReloads();
  await visit('#/');
  await expectLogin(reload, '#/login');
  expect(calls[0]?.key).toBe('GET /api/announcement/announcements/');
});

test('the app is mounted although the announcements fail', async () => {
  await visit('#/', {
    'GET /api/profile/': [me],
    'GET /api/announcement/announcements/': () => Promise.reject(new TypeError('refused')),
  });
  await expectText('还没有设备');
});

test('the app is mounted although the announcements never come', async () => {
  const never = (init: RequestInit) =>
    new Promise((_resolve, reject) => {
      init.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
    });
  const answers = { 'GET /api/profile/': [me], 'GET /api/announcement/announcements/': never };
  await visit('#/', answers, { announcementsTimeoutMs: 50 });
  await expectText('还没有设备');
});

test.each([
  ['#/devices?invalidDomain=nas.localhost&aff=7', '#/login?invalidDomain=nas.localhost&aff=7'],
  ['#/errorport?invalidDomain=nas.localhost', '#/login?invalidDomain=nas.localhost'],
])('an anonymous client is redirected from %s to the login screen and the query is kept', async (from, to) => {
  const reload = watchReloads();
  await visit(from);
  await expectLogin(reload, to);
});

test('a user without a token is not logged in', async () => {
  const reload = watchReloads();
  await visit('#/devices', { 'GET /api/profile/': [{ ...me, token: '' }] });
  await expectLogin(reload, '#/login');
});

test.each(['#/', '#', '#/no/such/page', '#/login'])('a user at %s is redirected to the devices', async (hash) => {
  await visit(hash, { 'GET /api/profile/': [me] });
  await expectPlace('#/devices', '通途 - 我的设备');
  await expectText('还没有设备');
});

test('a user with an invalid domain reads why it does not open', async () => {
  await visit('#/?invalidDomain=nas.localhost', {
    'GET /api/profile/': [me],
    'GET /api/router_info/': { domain: 'nas.localhost', state: 'unknown', since: null, offline_reason: null },
  });
  await expectPlace('#/errorport?invalidDomain=nas.localhost', '通途 - 访问出错');
  await expectText('没有这个地址');
});

test('a user who logs in for an address is redirected where the server says', async () => {
  const replace = vi.spyOn(window.location, 'replace').mockReturnValue();
  const redirect = 'http://nas.localhost:3000/.tongtu/verify?ticket=t&next=/x';
  await visit('#/login?url=http%3A%2F%2Fnas.localhost%3A3000%2Fx', {
    'GET /api/profile/': [me],
    'GET /custom/check/': { logged_in: true, allowed: true, reason: 'ok', url: '', domain: 'nas.localhost', redirect },
  });
  await vi.waitFor(() => expect(replace).toHaveBeenCalledWith(redirect), waiting);
});

test('a user is never redirected to an address that the server refuses, but to the gate', async () => {
  const reload = watchReloads();
  const replace = vi.spyOn(window.location, 'replace').mockReturnValue();
  const refusal = { logged_in: true, allowed: false, reason: 'no_such_mapping', url: '', domain: 'evil.localhost' };
  await visit('#/login?url=http%3A%2F%2Fevil.localhost%2F', {
    'GET /api/profile/': [me],
    'GET /custom/check/': refusal,
  });
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce(), waiting);
  expect(window.location.hash).toBe('#/check?url=http%3A%2F%2Fevil.localhost%2F');
  expect(replace).not.toHaveBeenCalled();
});

test('unread announcements open at startup, and 知道了 stores the largest id and closes them', async () => {
  await visit('#/devices', {
    'GET /api/profile/': [me],
    'GET /api/announcement/announcements/': [announcement, { ...announcement, id: 7, display: false }],
    'PATCH /api/profile/1/': { ...me, readed_announcement_id: 7 },
  });
  await expectText('【维护】今晚升级');

  const button = [...document.querySelectorAll('button')].find((each) => each.textContent === '知道了');
  button?.click();

  await vi.waitFor(() => expect(document.body.textContent).not.toContain('【维护】'), waiting);
  const patch = calls.find((call) => call.key === 'PATCH /api/profile/1/');
  expect(patch?.body).toEqual({ readed_announcement_id: 7 });
});

test('read announcements stay closed', async () => {
  await visit('#/devices', {
    'GET /api/profile/': [{ ...me, readed_announcement_id: 2 }],
    'GET /api/announcement/announcements/': [announcement],
  });
  await expectText('还没有设备');
  expect(document.body.textContent).not.toContain('【维护】');
});
