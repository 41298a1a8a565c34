import { once } from 'node:events';
import { constants } from 'node:http2';
import { connect } from 'node:tls';
import { type Logger, pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import type { RelayLimits } from '../../config/relay-limits.ts';
import { Http2Client } from '../../testing/clients/http2-client.ts';
import { flags, type Frame, frameTypes, headerBlock, RawHttp2Client } from '../../testing/clients/raw-http2-client.ts';
import { createAgentKey, startLanService, startTestRelay, testDevice } from '../../testing/start-test-relay.ts';

const HOST = 'nas.localhost';
const get = [
  [':method', 'GET'],
  [':scheme', 'https'],
  [':authority', HOST],
  [':path', '/'],
] as const;
const errorCode = (code: number) => {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(code);
  return payload;
};

afterEach(() => void vi.restoreAllMocks());

async function startVisit(limits: Partial<RelayLimits> = {}, log?: Logger) {
  const stack = new AsyncDisposableStack();
  const seen: string[][] = [];
  let closed = 0;
  const lan = stack.use(
    await startLanService((request, response) => {
      seen.push(request.rawHeaders);
      response.on('close', () => closed++);
      if (request.url === '/endless') response.write('begun');
      else if (request.url === '/reading') request.resume();
      else if (request.url === '/cut') response.write('begun', () => response.destroy());
      else response.end(request.url === '/big' ? Buffer.alloc(4 << 20) : 'ok');
    }),
  );
  const t = stack.use(await startTestRelay({ floodHoldMs: 20, ...limits }, log));
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { [HOST]: lan.port }), key);
  return {
    t,
    /** The fields of every request that came through. */
    seen,
    requests: () => seen.length,
    closed: () => closed,
    open: () => stack.use(new RawHttp2Client(t.relay.tlsPort, HOST)),
    otherVisitor: () => stack.use(new Http2Client(t.relay.tlsPort, HOST)),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Sends endlessly, as fast as the relay reads, until the relay closes. */
async function flood(visitor: RawHttp2Client, send: (turn: number) => void): Promise<number> {
  let turn = 0;
  while (!visitor.socket.destroyed && turn < 200_000) {
    send(turn++);
    if (turn % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await visitor.waitClosed();
  return turn;
}

test('a browser that leaves a page with a hundred open requests, five times over, keeps its connection', async () => {
  await using visit = await startVisit();
  const visitor = visit.otherVisitor();
  for (let page = 0; page < 4; page++) {
    const streams = Array.from({ length: 100 }, () => visitor.open({ ':path': '/endless' }));
    await expect.poll(visit.requests).toBe((page + 1) * 100 + page);
    for (const stream of streams) stream.close(constants.NGHTTP2_CANCEL);
    expect((await visitor.fetch('/')).body.toString()).toBe('ok');
  }
});

test('a browser that loads a page anew with a full number of open requests keeps its connection', async () => {
  await using visit = await startVisit();
  const visitor = visit.open();
  visitor.greet();
  await visitor.waitFor(({ type, flags: bits }) => type === frameTypes.settings && bits === 0);
  visitor.send(frameTypes.settings, flags.ack, 0);
  const pathOf = (path: string) => [...get.slice(0, 3), [':path', path] as const];
  for (let id = 1; id < 256; id += 2) visitor.request(id, pathOf('/endless'));
  await expect.poll(visit.requests).toBe(128);
  // The library still counts those that were reset in the same turn.
  visitor.socket.cork();
  for (let id = 1; id < 256; id += 2) visitor.send(frameTypes.reset, 0, id, errorCode(constants.NGHTTP2_CANCEL));
  for (let id = 257; id < 512; id += 2) visitor.request(id, get);
  visitor.socket.uncork();
  await visitor.waitFor(({ stream }) => stream === 511);
  visitor.request(513, get);
  expect(await visitor.waitFor(({ type, stream }) => type === frameTypes.headers && stream === 513)).toBeDefined();
});

test('a full page that is loaded anew again and again costs its connection at most, not HTTP/2', async () => {
  await using visit = await startVisit();
  const visitor = visit.open();
  visitor.greet();
  const endless = [...get.slice(0, 3), [':path', '/endless'] as const];
  for (let page = 0; !visitor.socket.destroyed; page++) {
    const ids = Array.from({ length: 100 }, (_, at) => (page * 100 + at) * 2 + 1);
    for (const id of ids) visitor.request(id, endless);
    await expect.poll(() => visit.requests() === (page + 1) * 100 || visitor.socket.destroyed).toBe(true);
    for (const id of ids) visitor.send(frameTypes.reset, 0, id, errorCode(constants.NGHTTP2_CANCEL));
  }
  expect((await visit.otherVisitor().fetch('/')).body.toString()).toBe('ok');
});

test('browsers that end their connections with an error, as Firefox does at its end, are no flood', async () => {
  await using visit = await startVisit();
  for (let browser = 0; browser < 5; browser++) {
    const visitor = visit.open();
    visitor.greet();
    visitor.request(1, get);
    await visitor.waitFor(({ flags: bits, stream }) => stream === 1 && (bits & flags.endStream) !== 0);
    const lastStream = Buffer.alloc(4);
    visitor.send(frameTypes.goAway, 0, 0, Buffer.concat([lastStream, errorCode(constants.NGHTTP2_INTERNAL_ERROR)]));
    await visitor.waitClosed();
  }
  expect((await visit.otherVisitor().fetch('/')).body.toString()).toBe('ok');
});

test('answers that a service breaks off are not counted as resets of the visitor', async () => {
  await using visit = await startVisit();
  const visitor = visit.otherVisitor();
  for (let round = 0; round < 7; round++) {
    const answers = await Promise.all(Array.from({ length: 100 }, async () => await visitor.fetch('/cut')));
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([constants.NGHTTP2_INTERNAL_ERROR]));
  }
  expect((await visitor.fetch('/')).body.toString()).toBe('ok');
});

test('endless requests that are reset at once (Rapid Reset) end their connection and no other', async () => {
  // The library counts resets, too, and refills by whole seconds. With a frozen clock the relay's limit comes first.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  await using visit = await startVisit({}, log);
  const other = visit.otherVisitor();
  const visitor = visit.open();
  visitor.greet();
  const turns = await flood(visitor, (turn) => {
    visitor.request(turn * 2 + 1, get);
    visitor.send(frameTypes.reset, 0, turn * 2 + 1, errorCode(constants.NGHTTP2_CANCEL));
  });
  expect(turns).toBeLessThan(200_000);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ msg: 'an HTTP/2 visitor was cut off', reason: 'too many reset streams' }),
  ]);
  expect(visit.requests()).toBeLessThan(1_000);
  expect((await other.fetch('/')).body.toString()).toBe('ok');
});

test('after a flood of resets its network is offered HTTP/1.1 alone, and a browser of it is still served', async () => {
  await using visit = await startVisit();
  for (let turn = 0; turn < 3; turn++) {
    const visitor = visit.open();
    visitor.greet();
    await flood(visitor, (at) => {
      visitor.request(at * 2 + 1, get);
      visitor.send(frameTypes.reset, 0, at * 2 + 1, errorCode(constants.NGHTTP2_CANCEL));
    });
  }
  const refused = visit.open();
  await refused.waitClosed();
  expect(refused.frames).toEqual([]);
  const ALPNProtocols = ['h2', 'http/1.1'];
  const { port, host } = { port: visit.t.relay.tlsPort, host: '127.0.0.1' };
  const browser = connect({ port, host, servername: HOST, ALPNProtocols, rejectUnauthorized: false });
  await once(browser, 'secureConnect');
  expect(browser.alpnProtocol).toBe('http/1.1');
  browser.write(`GET / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`);
  expect(String((await once(browser, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
  browser.destroy();
});

test('a request that is reset as soon as it was sent reaches no service', async () => {
  await using visit = await startVisit();
  const visitor = visit.open();
  visitor.greet();
  await visitor.waitFor(({ type }) => type === frameTypes.settings);
  visitor.socket.cork();
  for (let id = 1; id < 200; id += 2) {
    visitor.request(id, get);
    visitor.send(frameTypes.reset, 0, id, errorCode(constants.NGHTTP2_CANCEL));
  }
  visitor.request(201, get);
  visitor.socket.uncork();
  await visitor.waitFor(({ type, stream }) => type === frameTypes.headers && stream === 201);
  expect(visit.requests()).toBe(1);
});

test.each<[string, (visitor: RawHttp2Client) => void]>([
  ['empty frames on a finished stream', (visitor) => visitor.send(frameTypes.data, 0, 1)],
  ['priorities', (visitor) => visitor.send(frameTypes.priority, 0, 3, Buffer.of(0, 0, 0, 0, 5))],
  ['window updates', (visitor) => visitor.send(frameTypes.windowUpdate, 0, 0, Buffer.of(0, 0, 0, 1))],
  ['frames of an unknown type', (visitor) => visitor.send(99, 0, 0, Buffer.alloc(1_000))],
])('endless %s end their connection, and their network soon gets no HTTP/2 any more', async (_what, send) => {
  await using visit = await startVisit();
  for (let connection = 0; ; connection++) {
    expect(connection).toBeLessThan(6);
    const visitor = visit.open();
    visitor.greet();
    visitor.request(1, get);
    const isAnswered = ({ flags: bits, stream }: Frame) => stream === 1 && (bits & flags.endStream) !== 0;
    if ((await visitor.waitFor(isAnswered)) === undefined) break;
    await flood(visitor, () => {
      visitor.socket.cork();
      for (let turn = 0; turn < 10; turn++) send(visitor);
      visitor.socket.uncork();
    });
  }
});

test('a visitor with large uploads, also such as are refused, and large downloads is not cut off', async () => {
  await using visit = await startVisit();
  const visitor = visit.otherVisitor();
  for (let turn = 0; turn < 8; turn++) {
    const path = { ':method': 'POST', ':path': '/' };
    await visitor.fetch({ ...path, ':authority': turn % 2 ? HOST : 'nobody.localhost' }, Buffer.alloc(1 << 20));
  }
  await Promise.all(Array.from({ length: 3 }, async () => await visitor.fetch('/big')));
  expect((await visitor.fetch('/')).body.toString()).toBe('ok');
});

test('requests that the relay is made to reset (MadeYouReset) end their connection as well', async () => {
  await using visit = await startVisit();
  const other = visit.otherVisitor();
  const visitor = visit.open();
  visitor.greet();
  const turns = await flood(visitor, (turn) => {
    visitor.request(turn * 2 + 1, get);
    // A window that grows by nothing is an error of its stream.
    visitor.send(frameTypes.windowUpdate, 0, turn * 2 + 1, Buffer.alloc(4));
  });
  expect(turns).toBeLessThan(200_000);
  expect(visit.requests()).toBeLessThan(1_000);
  expect((await other.fetch('/')).body.toString()).toBe('ok');
});

test('visitors that are cut off are logged once, not one by one', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  await using visit = await startVisit({}, log);
  for (let turn = 0; turn < 3; turn++) {
    const visitor = visit.open();
    visitor.greet();
    await flood(visitor, () => visitor.send(frameTypes.ping, 0, 0, Buffer.alloc(8)));
    const garbage = visit.open();
    garbage.socket.write('garbage '.repeat(10));
    await garbage.waitClosed();
  }
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ ip: '127.0.0.1', msg: 'an HTTP/2 visitor was cut off' }),
  ]);
});

test.each<[string, (visitor: RawHttp2Client, turn: number) => void]>([
  ['pings', (visitor) => visitor.send(frameTypes.ping, 0, 0, Buffer.alloc(8))],
  ['settings', (visitor) => visitor.send(frameTypes.settings, 0, 0)],
  ['empty frames', (visitor) => visitor.send(frameTypes.data, 0, 1)],
  ['bytes of a body', (visitor) => visitor.send(frameTypes.data, 0, 1, Buffer.alloc(1))],
  ['pieces of a head', (visitor) => visitor.send(frameTypes.continuation, 0, 3, headerBlock([['x-a', '1']]))],
])('endless %s end their connection and no other', async (what, send) => {
  await using visit = await startVisit();
  const other = visit.otherVisitor();
  const visitor = visit.open();
  visitor.greet();
  const post = [[':method', 'POST'] as const, ...get.slice(1, 3), [':path', '/reading'] as const];
  if (what === 'empty frames' || what === 'bytes of a body')
    visitor.send(frameTypes.headers, flags.endHeaders, 1, headerBlock(post));
  if (what === 'pieces of a head') visitor.send(frameTypes.headers, flags.endStream, 3, headerBlock(get));
  expect(await flood(visitor, (turn) => send(visitor, turn))).toBeLessThan(200_000);
  expect((await other.fetch('/')).body.toString()).toBe('ok');
});

test('a head that is up to four times too long is answered; one with far too many fields ends only its stream', async () => {
  await using visit = await startVisit();
  const visitor = visit.open();
  visitor.greet();
  await visitor.waitFor(({ type, flags: bits }) => type === frameTypes.settings && bits === 0);
  visitor.send(frameTypes.settings, flags.ack, 0);
  const block = headerBlock([...get, ...Array.from({ length: 8 }, () => ['x-a', 'x'.repeat(15_000)] as const)]);
  visitor.send(frameTypes.headers, flags.endStream, 1, block.subarray(0, 16_000));
  for (let at = 16_000; at < block.length; at += 16_000) {
    const isLast = at + 16_000 >= block.length;
    visitor.send(frameTypes.continuation, isLast ? flags.endHeaders : 0, 1, block.subarray(at, at + 16_000));
  }
  visitor.request(3, [...get, ...Array.from({ length: 500 }, () => ['x-a', '1'] as const)]);
  expect(await visitor.waitFor(({ type, stream }) => type === frameTypes.headers && stream === 1)).toBeDefined();
  const reset = await visitor.waitFor(({ type, stream }) => type === frameTypes.reset && stream === 3);
  expect(reset?.payload.readUInt32BE()).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  visitor.request(5, get);
  expect(await visitor.waitFor(({ type, stream }) => type === frameTypes.headers && stream === 5)).toBeDefined();
  expect(visit.requests()).toBe(1);
});

test('each malformed request is refused on its own stream', async () => {
  await using visit = await startVisit();
  const visitor = visit.open();
  visitor.greet();
  const malformed = [
    [...get, ['transfer-encoding', 'chunked']],
    [...get, ['connection', 'close']],
    [...get, ['X-Upper', '1']],
    [...get, ['content-length', '5']],
    [...get, ['host', 'cam.localhost']],
    get.slice(1),
    [...get, [':path', '/b']],
  ] as ReadonlyArray<ReadonlyArray<readonly [string, string]>>;
  for (const [index, fields] of malformed.entries()) visitor.request(index * 2 + 1, fields);
  for (let stream = 1; stream < malformed.length * 2; stream += 2) {
    // The library resets some by itself; the others get a page.
    const end = await visitor.waitFor(
      (frame) => frame.stream === stream && (frame.type === frameTypes.reset || (frame.flags & flags.endStream) !== 0),
    );
    expect([stream, end === undefined]).toEqual([stream, false]);
  }
  expect(visit.requests()).toBe(0);
});

test('invalid fields are never forwarded: the library removes them from a request', async () => {
  await using visit = await startVisit();
  const visitor = visit.open();
  visitor.greet();
  const fields = [
    ['x a', '1'],
    ['x-a', 'a\r\nx-b: b'],
    ['x-a', 'a\0b'],
    ['x-a', ' a '],
  ] as const;
  for (const [index, field] of fields.entries()) visitor.request(index * 2 + 1, [...get, field]);
  visitor.request(fields.length * 2 + 1, get);
  await expect.poll(visit.requests).toBe(fields.length + 1);
  const expected = visit.seen.at(-1);
  for (const seen of visit.seen) expect(seen).toEqual(expected);
});

test('streams over the limit are refused, and the others go on', async () => {
  await using visit = await startVisit();
  const visitor = visit.open();
  visitor.greet();
  await visitor.waitFor(({ type, flags: bits }) => type === frameTypes.settings && bits === 0);
  visitor.send(frameTypes.settings, flags.ack, 0);
  for (let index = 0; index < 128; index++) {
    visitor.request(index * 2 + 1, [...get.slice(0, 3), [':path', '/endless']]);
  }
  await expect.poll(visit.requests).toBe(128);
  visitor.request(257, get);
  await visitor.waitFor(
    ({ type, stream }) => type === frameTypes.goAway || (type === frameTypes.reset && stream === 257),
  );
  expect(visit.requests()).toBe(128);
});

test('the wait for a visitor that opens no window has an end', async () => {
  await using visit = await startVisit({ serviceSilenceMs: 100, unreadAnswerMs: 100 });
  const visitor = visit.open();
  // INITIAL_WINDOW_SIZE 0: not a byte of a body may be sent.
  visitor.greet([[4, 0]]);
  visitor.request(1, [...get.slice(0, 3), [':path', '/big']]);
  visitor.request(3, [...get.slice(0, 2), [':authority', 'nobody.localhost'], [':path', '/']]);
  for (const stream of [1, 3]) {
    expect(
      await visitor.waitFor((frame) => frame.type === frameTypes.headers && frame.stream === stream),
    ).toBeDefined();
    expect(await visitor.waitFor((frame) => frame.type === frameTypes.reset && frame.stream === stream)).toBeDefined();
  }
});

test('a visitor that is silent after its handshake, and one without further requests, are disconnected', async () => {
  await using visit = await startVisit({ headTimeoutMs: 60, keepAliveIdleMs: 120, lingerMs: 60 });
  const mute = visit.open();
  await mute.waitClosed();
  const idle = visit.open();
  idle.greet();
  idle.request(1, get);
  expect(await idle.waitFor(({ type }) => type === frameTypes.goAway)).toBeDefined();
  expect(idle.goAwayCode).toBe(constants.NGHTTP2_NO_ERROR);
  // It does not close by itself, and gets no second GOAWAY.
  await idle.waitClosed();
});

test('when a visitor disconnects its requests are cancelled', async () => {
  await using visit = await startVisit();
  const visitor = visit.open();
  visitor.greet();
  visitor.request(1, [...get.slice(0, 3), [':path', '/endless']]);
  await visitor.waitFor(({ type, stream }) => type === frameTypes.data && stream === 1);
  visitor.socket.end();
  await visitor.waitClosed();
  await expect.poll(visit.closed).toBe(1);
});

test('a connection without the HTTP/2 preface is closed', async () => {
  await using visit = await startVisit();
  const visitor = visit.open();
  visitor.socket.write(`GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
  await visitor.waitClosed();
  expect(visit.requests()).toBe(0);
});

test('a relay that stops finishes open streams, refuses new ones, and ends connections without streams', async () => {
  await using visit = await startVisit({ drainMs: 10_000 });
  const busy = visit.open();
  busy.greet();
  busy.request(1, [...get.slice(0, 3), [':path', '/endless']]);
  await busy.waitFor(({ type, stream }) => type === frameTypes.data && stream === 1);
  const idle = visit.open();
  idle.greet();
  idle.request(1, get);
  await idle.waitFor(({ type, flags: bits }) => type === frameTypes.data && bits === flags.endStream);
  const stopped = visit.t.relay[Symbol.asyncDispose]();
  await idle.waitClosed();
  expect(await busy.waitFor(({ type }) => type === frameTypes.goAway)).toBeDefined();
  busy.request(3, get);
  expect(visit.requests()).toBe(2);
  busy.send(frameTypes.reset, 0, 1, errorCode(constants.NGHTTP2_CANCEL));
  await busy.waitClosed();
  await stopped;
  expect(visit.requests()).toBe(2);
});

test('a program with gRPC for Go, whose last frame breaks the protocol, keeps HTTP/2 for its network', async () => {
  await using visit = await startVisit();
  const grpc = [
    [':method', 'POST'],
    ...get.slice(1),
    ['te', 'trailers'],
    ['content-type', 'application/grpc'],
  ] as const;
  const closeAfter = async (fields: ReadonlyArray<readonly [string, string]>) => {
    await using visitor = visit.open();
    visitor.greet();
    visitor.request(1, fields);
    await visitor.waitFor(({ type }) => type === frameTypes.headers);
    // The last stream that it has seen should be one of the relay's, of which there are none.
    visitor.send(frameTypes.goAway, 0, 0, Buffer.from('0000000100000000', 'hex'));
    await visitor.waitClosed();
    return visitor.socket.alpnProtocol;
  };
  for (let count = 0; count < 6; count++) expect(await closeAfter(grpc)).toBe('h2');
  const others = [];
  for (let count = 0; count < 6; count++) others.push(await closeAfter(get).catch(() => 'refused'));
  expect(others).not.toEqual(Array(6).fill('h2'));
});
