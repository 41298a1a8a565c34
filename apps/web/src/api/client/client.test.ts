// @vitest-environment node
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoints, findCallLimit } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { createClient } from './client.ts';

type Handler = (req: IncomingMessage, res: ServerResponse, body: string) => void;

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function readBody(req: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of req) body += String(chunk);
  return body;
}

async function serve(handler: Handler): Promise<string> {
  const server = createServer((req, res) => void readBody(req).then((body) => handler(req, res, body)));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has no string address
}

function reply(res: ServerResponse, value: unknown): void {
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function refuse(res: ServerResponse, status: number, body: Record<string, unknown>, headers = {}): void {
  res.writeHead(status, { 'content-type': 'application/problem+json', ...headers }).end(JSON.stringify(body));
}

type Overrides = {
  token?: () => string | undefined;
  shownUserId?: number;
  onSessionLost?: () => void;
  onSessionChanged?: () => void;
};

function clientOf(origin: string, overrides: Overrides = {}) {
  return createClient({
    origin,
    fetch,
    readCsrfToken: overrides.token ?? (() => 'token-1'),
    readShownUserId: () => overrides.shownUserId,
    onSessionLost: overrides.onSessionLost ?? (() => undefined),
    onSessionChanged: overrides.onSessionChanged ?? (() => undefined),
  });
}

async function failureOf(promise: Promise<unknown>) {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof ApiError ? error.failure : error;
}

test('a call asks for Chinese replies, whatever the language of the browser is', async () => {
  const seen: unknown[] = [];
  const origin = await serve((req, res) => {
    seen.push(req.headers['accept-language']);
    reply(res, { logged_in: false, id: 0 });
  });

  await clientOf(origin).call('GET /api/login_status/');

  expect(seen).toEqual(['zh-CN']);
});

test('a call fills in its path, sends its body as JSON with the CSRF header, and returns the reply', async () => {
  const seen: unknown[] = [];
  const origin = await serve((req, res, body) => {
    seen.push([req.method, req.url, req.headers['x-csrftoken'], req.headers['content-type'], body]);
    reply(res, { id: 7 });
  });
  const { call } = clientOf(origin);

  const device = await call('PATCH /api/user/routers/{id}/', { params: { id: 7 }, body: { name: '新名字' } });

  expect(device).toEqual({ id: 7 });
  expect(seen).toEqual([['PATCH', '/api/user/routers/7/', 'token-1', 'application/json', '{"name":"新名字"}']]);
});

test('calls that read send the CSRF header too; raw calls do not', async () => {
  const seen: Record<string, unknown> = {};
  const origin = await serve((req, res) => {
    seen[req.url ?? ''] = req.headers['x-csrftoken'];
    reply(res, []);
  });
  const { call } = clientOf(origin);

  await call('GET /api/profile/');
  await call('GET /custom/check/', { query: { url: 'http://a.localhost/?b=1&c=2' } });

  expect(seen).toEqual({
    '/api/profile/': 'token-1',
    '/custom/check/?url=http%3A%2F%2Fa.localhost%2F%3Fb%3D1%26c%3D2': undefined,
  });
});

test('a call that changes something names the user that the console shows; other calls do not', async () => {
  const seen: unknown[] = [];
  const origin = await serve((req, res) => {
    seen.push([req.method, req.headers['x-user-id']]);
    reply(res, {});
  });

  for (const shownUserId of [7, undefined]) {
    const { call } = clientOf(origin, shownUserId === undefined ? {} : { shownUserId });
    await call('GET /api/profile/');
    await call('DELETE /api/user/deletion/');
  }

  expect(seen).toEqual([
    ['GET', undefined],
    ['DELETE', '7'],
    ['GET', undefined],
    ['DELETE', undefined],
  ]);
});

test('a session of another user is reported once for each call, without a retry', async () => {
  let refused = 0;
  let reported = 0;
  const origin = await serve((_req, res) => {
    refused++;
    refuse(res, 409, { code: 'session.changed' });
  });
  const { call } = clientOf(origin, { shownUserId: 7, onSessionChanged: () => void reported++ });

  expect(await failureOf(call('DELETE /api/user/deletion/'))).toMatchObject({ code: 'session.changed' });
  expect([refused, reported]).toEqual([1, 1]);
});

test('the client treats exactly those calls as raw that the contract marks as raw', async () => {
  const raw = Object.entries(endpoints).filter(([, endpoint]) => 'raw' in endpoint && endpoint.raw === true);
  expect(raw.map(([key]) => key)).toEqual(['GET /custom/check/', 'POST /api/mark_product_keys_as_status/']);
});

test('a CSV file is returned as text', async () => {
  const origin = await serve((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' });
    res.end('\uFEFF兑换码,末五位\r\n');
  });
  const { call } = clientOf(origin);
  const csv = await call('GET /api/user/product-keys-for-place/export/', { query: {} });
  expect(csv).toBe('兑换码,末五位\r\n');
});

test('a stale CSRF token is renewed by one GET without a rate limit, and the call is sent again', async () => {
  let token = 'stale';
  const seen: string[] = [];
  const origin = await serve((req, res) => {
    seen.push(`${req.method} ${req.url} ${String(req.headers['x-csrftoken'])}`);
    if (req.method === 'GET') token = 'fresh';
    if (req.method === 'POST' && req.headers['x-csrftoken'] !== 'fresh')
      return refuse(res, 403, { code: 'session.csrf' });
    reply(res, { ok: true });
  });
  const { call } = clientOf(origin, { token: () => token });

  await call('POST /custom/password/', { body: { old_password: 'a', new_password: 'b' } });

  expect(seen).toEqual(['POST /custom/password/ stale', 'GET /api/site/config/ stale', 'POST /custom/password/ fresh']);
  expect(findCallLimit('GET /api/site/config/')).toBeUndefined();
});

test('a CSRF refusal that persists is reported after one retry', async () => {
  let posts = 0;
  const origin = await serve((req, res) => {
    if (req.method === 'GET') return reply(res, {});
    posts++;
    refuse(res, 403, { code: 'session.csrf' });
  });

  const failure = await failureOf(
    clientOf(origin).call('POST /custom/login/', { body: { account: 'a', password: 'b' } }),
  );

  expect(failure).toMatchObject({ type: 'problem', code: 'session.csrf' });
  expect(posts).toBe(2);
});

test('problem details keep their code, fields, request id and retry-after time', async () => {
  const origin = await serve((_req, res) =>
    refuse(
      res,
      422,
      { code: 'request.invalid', detail: '不合法', errors: { prefix: ['太长'], odd: 'x' }, request_id: 'r-1' },
      { 'retry-after': '30' },
    ),
  );

  const failure = await failureOf(clientOf(origin).call('GET /api/user/servers/'));

  expect(failure).toEqual({
    type: 'problem',
    status: 422,
    code: 'request.invalid',
    detail: '不合法',
    fields: { prefix: ['太长'] },
    requestId: 'r-1',
    retryAfterSeconds: 30,
  });
});

test('a lost session is reported once; a wrong password does not count as one', async () => {
  let code = 'login.failed';
  let lost = 0;
  const origin = await serve((_req, res) => refuse(res, 401, { code }));
  const { call } = clientOf(origin, { onSessionLost: () => lost++ });

  await failureOf(call('POST /custom/login/', { body: { account: 'a', password: 'b' } }));
  expect(lost).toBe(0);
  code = 'session.required';
  await failureOf(call('GET /api/user/servers/'));
  expect(lost).toBe(1);
});

test('a call without an answer times out; a call that its caller aborts is cancelled', async () => {
  const origin = await serve(() => undefined);
  const { call } = clientOf(origin);
  const controller = new AbortController();

  const late = failureOf(call('GET /api/profile/', { timeoutMs: 20 }));
  const cancelled = failureOf(call('GET /api/profile/', { signal: controller.signal }));
  controller.abort();

  expect(await late).toEqual({ type: 'timeout' });
  expect(await cancelled).toEqual({ type: 'cancelled' });
});

test('an unreachable server is a network failure; HTML in place of JSON is unreadable', async () => {
  const origin = await serve((req, res) => {
    if (req.url === '/api/profile/') return res.destroy();
    res.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
  });
  const { call } = clientOf(origin);

  expect(await failureOf(call('GET /api/profile/'))).toEqual({ type: 'network' });
  expect(await failureOf(call('GET /api/login_status/'))).toEqual({ type: 'unreadable', status: 502 });
});
