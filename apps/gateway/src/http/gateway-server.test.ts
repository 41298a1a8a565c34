import { once } from 'node:events';
import WebSocket from 'ws';
import { expect, onTestFinished, test, vi } from 'vitest';
import { defaultGatewayLimits } from '../config/gateway-limits.ts';
import { startTestGateway } from '../testing/start-test-gateway.ts';
import type { LiveSession } from '../session/live-session.ts';
import type { AppHandler } from './app-handlers.ts';

const echo: AppHandler = {
  handle: async (_session, _request, response, path) => {
    response.end(`page ${path}`);
    await Promise.resolve();
  },
  sockets: { terminal: connectEcho },
};

function connectEcho(session: LiveSession, socket: WebSocket): void {
  socket.on('message', (data, isBinary) => socket.send(data as Buffer, { binary: isBinary }));
  session.signal.addEventListener('abort', () => socket.close(1000, String(session.signal.reason.code)));
  session.onIdleWarning((seconds) => socket.send(`idle in ${seconds}`));
}

/** The status with which a WebSocket is refused. */
async function refusalOf(socket: WebSocket): Promise<number | undefined> {
  socket.on('error', () => {});
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode?: number }];
  return response.statusCode;
}

test('a request and a WebSocket with the cookie reach the session, which is opened once', async () => {
  await using t = await startTestGateway(echo);
  const [first, second] = await Promise.all([t.request('files/list?path=/'), t.request('a/b')]);
  expect(await Promise.all([first.text(), second.text()])).toEqual(['page files/list', 'page a/b']);
  expect(first.headers.get('content-security-policy')).toMatch(/sandbox/);
  const socket = t.open('terminal');
  await once(socket, 'open');
  socket.send('hello');
  expect(String((await once(socket, 'message'))[0])).toBe('hello');
  expect(t.sent.filter(({ type }) => type === 'open')).toHaveLength(1);
});

test('without the cookie, with another one, for another path and another session there is nothing', async () => {
  await using t = await startTestGateway(echo);
  const { origin } = t.browser;
  const other = (handle: string) => ({ cookie: `app_session=${handle}.5.${'x'.repeat(43)}` });
  const statuses = [{}, other(t.handle), other('x'.repeat(22)), { cookie: 'app_session=short' }].map(
    async (headers) => (await t.request('a', headers)).status,
  );
  expect(await Promise.all(statuses)).toEqual([404, 404, 404, 404]);
  expect(await refusalOf(t.open('terminal', { origin }))).toBe(404);
  expect(await refusalOf(t.open('screen'))).toBe(404);
  const foreign = new WebSocket(`${origin.replace('http', 'ws')}/apps/${'x'.repeat(22)}/terminal`, {
    headers: t.browser,
  });
  expect(await refusalOf(foreign)).toBe(404);
});

test('cookies that another tenant’s page has planted, before and after the own one, change nothing', async () => {
  await using t = await startTestGateway(echo);
  const own = t.browser.cookie;
  const planted = ['__Secure-app_session', 'app_session']
    .flatMap((name) => [`${name}=${'a'.repeat(22)}.6.${'x'.repeat(43)}`, `${name}=${t.handle}.6.${'x'.repeat(43)}`])
    .join('; ');
  for (const cookie of [`${planted}; ${own}`, `${own}; ${planted}`]) {
    const { origin } = t.browser;
    expect(await (await t.request('a', { origin, cookie })).text()).toBe('page a');
    const socket = t.open('terminal', { origin, cookie });
    await once(socket, 'open');
    socket.close();
  }
  expect((await t.request('a', { cookie: planted })).status).toBe(404);
});

test('pages of other sites, and of addresses below the suffix, are refused', async () => {
  await using t = await startTestGateway(echo);
  const { cookie } = t.browser;
  const foreign = { cookie, origin: 'http://nas.localhost:8080' };
  const statuses = [
    t.request('a', foreign),
    t.request('a', { cookie, 'sec-fetch-site': 'same-site' }),
    t.request('a', { cookie }, 'POST'),
  ];
  expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([403, 403, 403]);
  expect((await t.request('a', { cookie, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  expect(await refusalOf(t.open('terminal', foreign))).toBe(403);
  expect(await refusalOf(t.open('terminal', { cookie }))).toBe(403);
});

test('a page over http of the same name is refused where the console is opened by https', async () => {
  await using t = await startTestGateway(echo);
  const { cookie, origin } = t.browser;
  const secure = { cookie, 'x-forwarded-proto': 'https' };
  const ofHttp = { ...secure, origin, 'sec-fetch-site': 'cross-site' };
  expect(await refusalOf(t.open('terminal', ofHttp))).toBe(403);
  expect(await refusalOf(t.open('terminal', { ...secure, origin }))).toBe(403);
  expect((await t.request('a', ofHttp)).status).toBe(403);
  const own = { ...secure, origin: origin.replace('http', 'https'), 'sec-fetch-site': 'same-origin' };
  await once(t.open('terminal', own), 'open');
  expect(await refusalOf(t.open('terminal', { ...own, 'sec-fetch-site': 'same-site' }))).toBe(403);
});

test('the server ends a session: its WebSockets close, and its cookie opens nothing any more', async () => {
  await using t = await startTestGateway(echo);
  const socket = t.open('terminal');
  await once(socket, 'open');
  t.gateway.onServerMessage({ type: 'end', sessionId: 5, reason: 'right-ended' });
  expect(String((await once(socket, 'close'))[1])).toBe('right-ended');
  expect(t.sent.at(-1)).toEqual({ type: 'ended', sessionId: 5, reason: 'right-ended' });
  t.answerWith({ ok: false, reason: 'right-ended' });
  expect((await t.request('a')).status).toBe(404);
  const again = t.open('terminal');
  expect(JSON.parse(String((await once(again, 'message'))[0]))).toEqual({ type: 'failed', reason: 'right-ended' });
});

test('a session without a connection from the browser ends, one with a WebSocket goes on', async () => {
  await using t = await startTestGateway(echo, { limits: { abandonedMs: 50 } });
  const socket = t.open('terminal');
  await once(socket, 'open');
  await t.request('a');
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(t.sent.some(({ type }) => type === 'ended')).toBe(false);
  socket.terminate();
  await expect.poll(() => t.sent.at(-1)).toEqual({ type: 'ended', sessionId: 5, reason: 'abandoned' });
});

/** As a terminal with a shell. */
const keeping: AppHandler = { sockets: { terminal: connectKept } };

function connectKept(session: LiveSession, socket: WebSocket): void {
  session.keepWithoutPage(true);
  connectEcho(session, socket);
}

test('a session with a shell goes on without a page for a while, which the server learns', async () => {
  await using t = await startTestGateway(keeping, { limits: { keptMs: 60_000 } });
  const events = () => t.sent.filter(({ type }) => type === 'kept' || type === 'ended');
  const first = t.open('terminal');
  await once(first, 'open');
  first.terminate();
  const kept = { type: 'kept', sessionId: 5, seconds: 60 };
  await expect.poll(events).toEqual([kept]);

  // The page was opened again, with another token: the former one is worth nothing.
  const again = t.openAgain();
  const second = t.open('terminal', again);
  await once(second, 'open');
  expect(events()).toEqual([kept, { type: 'kept', sessionId: 5, seconds: null }]);
  expect(await refusalOf(t.open('terminal'))).toBe(404);
  second.send('hello');
  expect(String((await once(second, 'message'))[0])).toBe('hello');
});

test('a session with a shell that nobody comes back to ends', async () => {
  await using t = await startTestGateway(keeping, { limits: { keptMs: 20 } });
  const socket = t.open('terminal');
  await once(socket, 'open');
  socket.terminate();
  await expect.poll(() => t.sent.at(-1)).toEqual({ type: 'ended', sessionId: 5, reason: 'abandoned' });
});

test('an idle session warns, and then ends', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  await using t = await startTestGateway(echo);
  const socket = t.open('terminal');
  await once(socket, 'open');
  const { idleMs, idleWarningMs } = defaultGatewayLimits;
  vi.advanceTimersByTime(idleMs - idleWarningMs);
  expect(String((await once(socket, 'message'))[0])).toBe('idle in 60');
  vi.advanceTimersByTime(idleWarningMs);
  expect(String((await once(socket, 'close'))[1])).toBe('idle');
});

test('a stop ends all sessions and says so', async () => {
  const t = await startTestGateway(echo);
  const socket = t.open('terminal');
  await once(socket, 'open');
  await t[Symbol.asyncDispose]();
  expect(t.sent.at(-1)).toEqual({ type: 'ended', sessionId: 5, reason: 'gateway-stopped' });
});

test('open sessions are reported every few seconds, also silent ones', async () => {
  await using t = await startTestGateway(echo, { limits: { usageReportMs: 20 } });
  await t.request('a');
  await expect.poll(() => t.sent.filter(({ type }) => type === 'usage').length).toBeGreaterThan(1);
  expect(t.sent.at(-1)).toEqual({ type: 'usage', sessions: [{ sessionId: 5, bytesIn: 0, bytesOut: 0 }] });
});
