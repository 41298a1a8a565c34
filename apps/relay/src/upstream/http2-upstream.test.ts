import { once } from 'node:events';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import type { Route } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { answerOf, Http2Client } from '../testing/clients/http2-client.ts';
import { createAgentKey, startTestRelay, testDevice } from '../testing/start-test-relay.ts';
import type { TestAgentOptions } from '../testing/test-agent.ts';

type Serve = (stream: ServerHttp2Stream, headers: Record<string, string | string[] | undefined>, raw: string[]) => void;

const lenient = { strictSingleValueFields: false };
const grpc = { ':method': 'POST', 'content-type': 'application/grpc', te: 'trailers' };
const BLOCK = 'x'.repeat(64 * 1024);

/** A service that speaks HTTP/2 alone, as those of gRPC do. */
async function startService(serve: Serve) {
  const server = createServer({ ...lenient, maxHeaderListPairs: 300 });
  server.on('session', (session) => session.on('error', () => {}));
  server.on('stream', (stream, headers, _flags, raw) => {
    stream.on('error', () => {});
    serve(stream, headers, raw);
  });
  return await listening(server);
}

async function listening(server: Server) {
  const sockets = new Set<{ destroy(): void; destroyed: boolean }>();
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function startVisitor(port: number, route: Partial<Route> = {}, options: Partial<TestAgentOptions> = {}) {
  const stack = new AsyncDisposableStack();
  const t = stack.use(await startTestRelay());
  const key = createAgentKey();
  const agent = await t.connectDevice(testDevice(key, { 'rpc.example': port }, route), key, options);
  const visitor = stack.use(new Http2Client(t.relay.tlsPort, 'rpc.example', { servername: 'rpc.example', ...lenient }));
  return { agent, visitor, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const ok: Serve = (stream, headers) => {
  stream.respond(
    { ':status': 200, 'content-type': 'application/grpc', 'x-asked': JSON.stringify(headers) },
    { waitForTrailers: true },
  );
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0', 'x-end': 'a' }));
  stream.pipe(stream);
};

test('gRPC reaches a service over HTTP/2, with metadata, both bodies at once, and trailers', async () => {
  await using service = await startService(ok);
  await using gate = await startVisitor(service.port);
  const call = gate.visitor.open({
    ...grpc,
    ':path': '/pkg.Service/Method',
    'x-meta-bin': 'AAE',
    'grpc-timeout': '5S',
  });
  const answer = answerOf(call);
  call.write('first');
  const [first] = (await once(call, 'data')) as [Buffer];
  expect(first.toString()).toBe('first');
  call.end('last');
  const { status, headers, trailers, body, code } = await answer;
  expect([status, body.toString(), code]).toEqual([200, 'firstlast', 0]);
  expect(trailers).toMatchObject({ 'grpc-status': '0', 'x-end': 'a' });
  expect(JSON.parse(String(headers['x-asked']))).toMatchObject({
    ...{ ':method': 'POST', ':path': '/pkg.Service/Method', ':scheme': 'http', ':authority': 'rpc.example' },
    ...{ te: 'trailers', 'content-type': 'application/grpc', 'x-meta-bin': 'AAE', 'grpc-timeout': '5S' },
    'x-forwarded-proto': 'https',
  });
});

test.each([
  ['tls-h2', false],
  ['tls-h2-verified', true],
] as const)('a service at https is dialled with the kind %s', async (kind, verifyTls) => {
  await using gate = await startVisitor(9, { kind: 'https', verifyTls }, { onOpen: () => 'certificateInvalid' });
  const { headers } = await gate.visitor.fetch({ ...grpc, ':path': '/a' }, 'x');
  expect(decodeURIComponent(String(headers['grpc-message']))).toMatch(/^目标服务的证书无效/);
  expect(gate.agent.opened.map((request) => request.kind)).toEqual([kind]);
});

test('an answer of trailers alone stays one, and a service may answer before it has read the request', async () => {
  await using service = await startService((stream) =>
    stream.respond({ ':status': 200, 'grpc-status': '5', 'grpc-message': 'none' }, { endStream: true }),
  );
  await using gate = await startVisitor(service.port);
  const flags: number[] = [];
  const call = gate.visitor.open({ ...grpc, ':path': '/a' });
  call.on('response', (_headers, flag: number) => flags.push(flag));
  const { headers, trailers } = await answerOf(call);
  expect(headers).toMatchObject({ 'grpc-status': '5', 'grpc-message': 'none' });
  expect([trailers, flags.map((flag) => flag & 1)]).toEqual([{}, [1]]);
});

test('a visitor that cancels closes the connection to the service, and each request has one of its own', async () => {
  let cancelled: (() => void) | undefined;
  const whenCancelled = new Promise<void>((resolve) => (cancelled = resolve));
  await using service = await startService((stream, headers) => {
    if (headers[':path'] !== '/wait') return ok(stream, headers, []);
    stream.respond({ ':status': 200 });
    stream.on('close', () => cancelled?.());
  });
  await using gate = await startVisitor(service.port);
  const waiting = gate.visitor.open({ ...grpc, ':path': '/wait' });
  await once(waiting, 'response');
  expect((await gate.visitor.fetch({ ...grpc, ':path': '/a' }, 'x')).trailers).toMatchObject({ 'grpc-status': '0' });
  waiting.close(8);
  await whenCancelled;
  expect(service.sockets.size).toBe(2);
});

test('large messages pass both ways unchanged, however slowly the visitor reads', async () => {
  await using service = await startService(ok);
  await using gate = await startVisitor(service.port);
  const call = gate.visitor.open({ ...grpc, ':path': '/a' });
  const answer = answerOf(call);
  call.pause();
  const parts = 160; // 10 MB, more than all windows
  for (let part = 0; part < parts; part++) call.write(BLOCK);
  call.end();
  await new Promise((resolve) => setTimeout(resolve, 100));
  call.resume();
  const { body, trailers } = await answer;
  expect([body.length, trailers['grpc-status']]).toEqual([parts * BLOCK.length, '0']);
});

test('a stream that the service resets is cut, before its head with a gRPC status', async () => {
  await using service = await startService((stream, headers) => {
    if (headers[':path'] === '/late') {
      stream.respond({ ':status': 200 });
      stream.write('half', () => stream.destroy(new Error('cut')));
    } else stream.close(7);
  });
  await using gate = await startVisitor(service.port);
  expect(await gate.visitor.fetch({ ...grpc, ':path': '/late' }, 'x')).toMatchObject({ status: 200, code: 2 });
  const { status, headers, code } = await gate.visitor.fetch({ ...grpc, ':path': '/early' }, 'x');
  expect([status, headers['grpc-status'], code]).toEqual([200, '14', 0]);
});

test('a refusal of the relay is an answer of gRPC, of trailers alone', async () => {
  await using service = await startService(ok);
  await using gate = await startVisitor(service.port, { policy: 'owner' });
  const { status, headers, body } = await gate.visitor.fetch({ ...grpc, ':path': '/a' }, 'x');
  expect([status, body.length]).toEqual([200, 0]);
  expect(headers).toMatchObject({ 'content-type': 'application/grpc', 'grpc-status': '16' });
  expect(decodeURIComponent(String(headers['grpc-message']))).toContain('请先通过身份验证');
  const unknown = await gate.visitor.fetch({ ...grpc, ':path': '/a', ':authority': 'none.example' }, 'x');
  expect(unknown.headers).toMatchObject({ 'grpc-status': '12' });
  // What is not gRPC over HTTP/2 gets pages as before, and services get it as HTTP/1.1.
  const web = { ...grpc, 'content-type': 'application/grpc-web+proto', ':path': '/a' };
  expect((await gate.visitor.fetch(web, 'x')).status).toBe(403);
});

test('fields that may occur only once reach the service as often as they were sent', async () => {
  const seen: string[][] = [];
  await using service = await startService((stream, headers, raw) => {
    seen.push(raw.filter((_text, at) => raw[at - (at % 2)] === 'range'));
    ok(stream, headers, raw);
  });
  await using gate = await startVisitor(service.port);
  const call = gate.visitor.session.request([
    ...[':method', 'POST', ':scheme', 'https', ':authority', 'rpc.example', ':path', '/a', 'te', 'trailers'],
    ...['content-type', 'application/grpc', 'range', 'a', 'range', 'b'],
  ]);
  expect((await answerOf(call.end())).trailers['grpc-status']).toBe('0');
  expect(seen).toEqual([['range', 'a', 'range', 'b']]);
});

test('a service without HTTP/2, and an agent that cannot offer it, are named', async () => {
  await using old = await listening(
    createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
    }),
  );
  await using gate = await startVisitor(old.port);
  const messageOf = async (visitor: Http2Client) => {
    const { headers } = await visitor.fetch({ ...grpc, ':path': '/a' }, 'x');
    return `${String(headers['grpc-status'])} ${decodeURIComponent(String(headers['grpc-message']))}`;
  };
  expect(await messageOf(gate.visitor)).toMatch(/^14 目标服务不支持 HTTP\/2/);

  await using outdated = await startVisitor(9, { kind: 'https' }, { features: ['udp'] });
  expect(await messageOf(outdated.visitor)).toMatch(/^14 设备上的客户端版本过旧/);
});

test('as much as a visitor may send in fields reaches the service, with those of the relay, and no connection remains', async () => {
  await using service = await startService(ok);
  await using gate = await startVisitor(service.port);
  const many = Object.fromEntries(Array.from({ length: 191 }, (_, index) => [`x-${index}`, 'a']));
  const long = { 'x-long': 'a'.repeat(32_300) };
  for (const fields of [many, long]) {
    const { status, headers } = await gate.visitor.fetch({ ...grpc, ':path': '/a', ...fields }, 'x');
    expect([status, Object.keys(JSON.parse(String(headers['x-asked'] ?? '{}'))).length > 5]).toEqual([200, true]);
  }
  await expect.poll(() => [...service.sockets].filter((socket) => !socket.destroyed)).toEqual([]);
});
