import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { TerminalFromGateway } from '@tongtu/contract';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../api/index.ts';
import { openedOf } from '../../testing/app-fixtures.ts';
import { type FakeGateway, fakeGateway } from '../../testing/fake-socket.ts';
import { show } from '../../testing/show.tsx';
import { ThemeModeProvider } from '../../ui/theme/theme-mode.tsx';
import { AppPage } from './app-page.tsx';

const openKey = 'POST /api/user/cloud_apps/{id}/sessions/';
let gateway: FakeGateway;

beforeEach(() => {
  gateway = fakeGateway();
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

function refusal(code: string): ApiError {
  const problem = { type: 'problem', status: 409, code, detail: '', fields: {}, requestId: '' } as const;
  return new ApiError({ ...problem, retryAfterSeconds: undefined });
}

function open(answers: Parameters<typeof show>[1]) {
  return show(
    <ThemeModeProvider>
      <Routes>
        <Route path="/apps/:id" element={<AppPage />} />
        <Route path="/wake/5" element={<p>唤醒页面</p>} />
        <Route path="/devices" element={<p>设备列表</p>} />
      </Routes>
    </ThemeModeProvider>,
    answers,
    { at: '/apps/5' },
  );
}

const opened = async () => {
  await screen.findByRole('heading', { name: /群晖终端/ });
  await waitFor(() => expect(gateway.sockets.length).toBeGreaterThan(0));
  act(() => gateway.latest().open());
};
const send = (message: TerminalFromGateway) => act(() => gateway.latest().message(message));

test('opening the page begins a session and connects to its path', async () => {
  const calls = open({ [openKey]: () => openedOf(31) });
  screen.getByText('正在打开…');
  await opened();
  expect(calls.filter(({ key }) => key === openKey)).toEqual([
    { key: openKey, input: { params: { id: 5 }, query: {} } },
  ]);
  expect(gateway.latest().url).toBe('ws://localhost:3000/apps/31/terminal');
  expect(gateway.latest().messages()).toEqual([
    { type: 'start', columns: expect.any(Number), rows: expect.any(Number) },
  ]);
  expect(document.title).toBe('通途 - 群晖终端');
});

test('a refusal is shown with its reason, and can be tried again', async () => {
  let isRefused = true;
  open({
    [openKey]: () => {
      if (isRefused) throw refusal('cloud-app.too-many-sessions');
      return openedOf(32);
    },
  });
  await screen.findByText('打开的会话过多，请先结束一些');
  isRefused = false;
  fireEvent.click(screen.getByRole('button', { name: '重试' }));
  await opened();
  expect(gateway.latest().url).toContain('/apps/32/');
});

test('without a confirmation the app is not opened, and the page says why', async () => {
  open({
    [openKey]: () => {
      throw refusal('session.confirm-required');
    },
    'GET /custom/confirm/': () => ({ methods: ['totp'] }),
  });
  await screen.findByText(/身份验证器/);
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  await screen.findByText('打开它之前需要确认您的身份。');
  expect(gateway.sockets).toEqual([]);
});

test.each<[string, () => void, RegExp]>([
  ['the gateway ends', () => gateway.latest().message({ type: 'failed', reason: 'right-ended' }), /您的访问权限已失效/],
  ['is cut off', () => gateway.latest().cut(), /与服务器的连接断开了/],
])('a session that %s says why, and another one follows in its place', async (_how, end, words) => {
  let id = 30;
  open({ [openKey]: () => openedOf(++id) });
  await opened();
  send({ type: 'connected' });
  act(end);
  expect((await screen.findByRole('alert')).textContent).toMatch(words);
  const [first] = gateway.sockets;
  fireEvent.click(screen.getByRole('button', { name: '重新连接' }));
  await waitFor(() => expect(gateway.sockets).toHaveLength(2));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(first?.readyState).toBe(WebSocket.CLOSED);
  expect(gateway.latest().url).toContain('/apps/32/');
});

test.each<[string, TerminalFromGateway, boolean]>([
  ['does not answer', { type: 'failed', reason: 'timed-out' }, true],
  ['refuses, so that it is on', { type: 'failed', reason: 'refused' }, false],
])('an app whose host %s', async (_what, message, isOffered) => {
  const options = { ...openedOf(1).app.options, mac: 'd8:bb:c1:0a:2f:e4' };
  open({ [openKey]: () => openedOf(31, { options }) });
  await opened();
  send(message);
  await screen.findByRole('button', { name: '重新连接' });
  const wake = screen.queryByRole('button', { name: '唤醒并打开' });
  expect(wake !== null).toBe(isOffered);
  if (wake === null) return;
  fireEvent.click(wake);
  await screen.findByText('唤醒页面');
});

test('the address of an app that is only woken leads to the page that wakes it', async () => {
  open({
    [openKey]: () => {
      throw refusal('cloud-app.no-sessions');
    },
  });
  await screen.findByText('唤醒页面');
});

test('a file that is dropped where nothing takes it is not opened by the browser in place of the page', async () => {
  open({ [openKey]: () => openedOf(31) });
  const drop = (types: readonly string[]) => {
    const event = new Event('drop', { bubbles: true, cancelable: true });
    Object.defineProperty(event, 'dataTransfer', { value: { types } });
    document.body.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(drop(['Files'])).toBe(true);
  expect(drop(['text/plain'])).toBe(false);
  await opened();
  cleanup();
  expect(drop(['Files'])).toBe(false);
});

test('where old algorithms are allowed already, nothing advises to allow them', async () => {
  const { app, ...session } = openedOf(31);
  open({ [openKey]: () => ({ ...session, app: { ...app, options: { ...app.options, old_algorithms: true } } }) });
  await opened();
  send({ type: 'no_common_algorithm', part: 'cipher', theirs: ['cast128-cbc'], ours: ['aes256-cbc'] });
  send({ type: 'failed', reason: 'no-common-algorithm' });
  await screen.findByText(/仍然没有共同的/);
  expect(screen.queryByText(/打开“允许过时的算法”/)).toBeNull();
});

test('a page that is loaded again asks for its session, and a session that has ended is not asked for', async () => {
  sessionStorage.setItem('tongtu.app-session.5', '31');
  const calls = open({ [openKey]: () => openedOf(31) });
  await opened();
  send({ type: 'resumed', columns: 90, rows: 20, bytes: 0 });
  await screen.findByText('已回到仍在运行的会话');
  send({ type: 'failed', reason: 'closed' });
  fireEvent.click(await screen.findByRole('button', { name: '重新连接' }));
  const queries = () => calls.filter(({ key }) => key === openKey).map(({ input }) => input);
  await waitFor(() => expect(queries()).toHaveLength(2));
  expect(queries()).toEqual([
    { params: { id: 5 }, query: { resume: 31 } },
    { params: { id: 5 }, query: {} },
  ]);
});

test('a terminal whose connection was cut is asked for again; another one is opened where the user wants it', async () => {
  const calls = open({ [openKey]: () => openedOf(33) });
  await opened();
  send({ type: 'connected' });
  act(() => gateway.latest().cut());
  fireEvent.click(await screen.findByRole('button', { name: '重新连接' }));
  const queries = () => calls.filter(({ key }) => key === openKey).map(({ input }) => input);
  await waitFor(() => expect(queries().at(-1)).toEqual({ params: { id: 5 }, query: { resume: 33 } }));
  fireEvent.click(screen.getByRole('button', { name: '更多' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: '新开一个会话' }));
  await waitFor(() => expect(queries().at(-1)).toEqual({ params: { id: 5 }, query: { fresh: 'true' } }));
});
