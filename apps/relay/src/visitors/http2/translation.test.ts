import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { constants } from 'node:http2';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { RelayLimits } from '../../config/relay-limits.ts';
import { answerOf, Http2Client } from '../../testing/clients/http2-client.ts';
import { RawClient } from '../../testing/clients/raw-client.ts';
import { startRawService } from '../../testing/raw-service.ts';
import { createAgentKey, startLanService, startTestRelay, testDevice } from '../../testing/start-test-relay.ts';

const HOST = 'nas.localhost';
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** A relay, a device with a mapping to that port, and a visitor who speaks HTTP/2. */
async function startVisit(lanPort: number, limits: Partial<RelayLimits> = {}) {
  const stack = new AsyncDisposableStack();
  const t = stack.use(await startTestRelay(limits));
  const key = createAgentKey();
  const device = testDevice(key, { [HOST]: lanPort, 'cam.localhost': lanPort });
  const agent = await t.connectDevice(device, key);
  const visitor = stack.use(new Http2Client(t.relay.tlsPort, HOST));
  return { t, agent, device, visitor, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test('a request of HTTP/2 reaches the service as HTTP/1.1, and its answer reaches the visitor', async () => {
  await using lan = await startRawService((socket) => {
    socket.once('data', (bytes: Buffer) => {
      const body = bytes.toString('latin1').replace(/tongtu-[0-9a-f]+/, 'tongtu-0');
      const head = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nX-Twice: 1\r\nX-Twice: 2\r\nConnection: X-Hop\r\n`;
      socket.write(
        `${head}X-Hop: 1\r\nKeep-Alive: timeout=5\r\nUpgrade: h2c\r\nSet-Cookie: a=1; Domain=localhost\r\n\r\n${body}`,
      );
    });
  });
  await using visit = await startVisit(lan.port);
  const answer = await visit.visitor.fetch({
    ':path': '/a?b',
    cookie: ['a=1', 'tongtu_visitor=x', 'b=2'],
    te: 'trailers',
    'x-forwarded-for': '6.6.6.6',
    forwarded: 'for=6.6.6.6',
  });
  expect(answer.body.toString('latin1').split('\r\n')).toEqual([
    'GET /a?b HTTP/1.1',
    'Host: nas.localhost',
    'cookie: a=1; b=2',
    'CDN-Loop: tongtu-0',
    'Forwarded: for=127.0.0.1;host=nas.localhost;proto=https',
    'X-Forwarded-For: 127.0.0.1',
    'X-Forwarded-Proto: https',
    'X-Forwarded-Host: nas.localhost',
    'X-Forwarded-Port: 443',
    'X-Real-IP: 127.0.0.1',
    'Connection: keep-alive',
    '',
    '',
  ]);
  const { date, ...headers } = answer.headers;
  expect(date).toMatch(/ GMT$/);
  expect(headers).toMatchObject({ 'x-twice': '1, 2', 'set-cookie': ['a=1'] });
  expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['x-hop']));
  for (const name of ['connection', 'keep-alive', 'upgrade', 'x-hop']) expect(headers).not.toHaveProperty(name);
});

test('8 MB go up and come back unchanged, with a length and without one', { timeout: 60_000 }, async () => {
  await using lan = await startLanService((request, response) => {
    response.writeHead(200, { 'x-framing': request.headers['content-length'] ?? 'chunked' });
    request.pipe(response);
  });
  await using visit = await startVisit(lan.port);
  const body = randomBytes(8 << 20);
  const [known, unknown] = await Promise.all([
    visit.visitor.fetch({ ':method': 'POST', 'content-length': body.length }, body),
    visit.visitor.fetch({ ':method': 'POST' }, body),
  ]);
  expect([known.headers['x-framing'], unknown.headers['x-framing']]).toEqual([String(body.length), 'chunked']);
  expect([sha256(known.body), sha256(unknown.body)]).toEqual([sha256(body), sha256(body)]);
});

test('trailers go both ways', async () => {
  await using lan = await startLanService((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { Trailer: 'X-Sum' });
      response.write('body');
      response.addTrailers({ 'X-Sum': `of ${request.trailers['x-sum']}` });
      response.end();
    });
  });
  await using visit = await startVisit(lan.port);
  const stream = visit.visitor.session.request(
    { ':method': 'POST', ':authority': HOST, trailer: 'x-sum' },
    { waitForTrailers: true },
  );
  stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '9' }));
  stream.end('hello');
  const answer = await answerOf(stream);
  expect(answer).toMatchObject({ status: 200, code: 0, trailers: { 'x-sum': 'of 9' } });
  expect(answer.body.toString()).toBe('body');
});

test.each(['', 'short'])(
  'a body that ends in the same bytes as its head reaches the service, with trailers: %j',
  async (body) => {
    await using lan = await startLanService((request, response) => {
      const sum = () => request.trailers['x-sum'];
      let text = '';
      request.on('data', (part: Buffer) => (text += part.toString()));
      request.on('end', () => response.end(`${text} ${sum()}`));
    });
    await using visit = await startVisit(lan.port);
    const ask = async (waitForTrailers: boolean) => {
      const stream = visit.visitor.session.request({ ':method': 'POST', ':authority': HOST }, { waitForTrailers });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '9' }));
      const answer = answerOf(stream);
      stream.end(body);
      return (await answer).body.toString();
    };
    expect(await ask(false)).toBe(`${body} undefined`);
    expect(await ask(true)).toBe(`${body} 9`);
  },
);

test('interim answers come before the final one, and a body waits for 100 Continue', async () => {
  await using lan = await startLanService((request, response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => response.end(body));
  });
  await using visit = await startVisit(lan.port);
  const stream = visit.visitor.open({ ':method': 'POST', expect: '100-continue', 'content-length': 5 });
  const answered = answerOf(stream);
  await once(stream, 'continue');
  stream.end('hello');
  const answer = await answered;
  expect(answer.interim).toEqual([100, 103]);
  expect(answer.body.toString()).toBe('hello');
});

test('HEAD, 204, 205 and 304 end with their head', async () => {
  await using lan = await startRawService((socket) => {
    const answers: Record<string, string> = {
      '/204': '204 No Content\r\n',
      '/205': '205 Reset Content\r\nContent-Length: 0\r\n',
      '/304': '304 Not Modified\r\nContent-Length: 5\r\n',
      '/head': '200 OK\r\nContent-Length: 5\r\n',
    };
    socket.on('data', (bytes: Buffer) => {
      const path = bytes.toString('latin1').split(' ')[1] ?? '';
      socket.write(`HTTP/1.1 ${answers[path]}\r\n`);
    });
  });
  await using visit = await startVisit(lan.port);
  for (const [path, method, length] of [
    ['/204', 'GET', undefined],
    ['/205', 'GET', undefined],
    ['/304', 'GET', '5'],
    ['/head', 'HEAD', '5'],
  ] as const) {
    const answer = await visit.visitor.fetch({ ':path': path, ':method': method });
    expect([path, answer.code, answer.headers['content-length'], answer.body.length]).toEqual([path, 0, length, 0]);
  }
  expect(visit.agent.opened).toHaveLength(1);
});

test('when the service breaks off, the answer is reset, not ended', async () => {
  await using lan = await startRawService((socket) => {
    socket.once('data', (head: Buffer) => {
      const framing = head.includes('/length') ? 'Content-Length: 100' : 'Transfer-Encoding: chunked';
      socket.write(`HTTP/1.1 200 OK\r\n${framing}\r\n\r\n4\r\nhalf\r\n`, () => socket.destroy());
    });
  });
  await using visit = await startVisit(lan.port);
  for (const path of ['/length', '/chunked']) {
    const answer = await visit.visitor.fetch(path);
    expect([answer.status, answer.code]).toEqual([200, constants.NGHTTP2_INTERNAL_ERROR]);
  }
  // The connection itself stays usable.
  expect((await visit.visitor.fetch({ ':authority': 'localhost' })).status).toBe(200);
});

test('a visitor who cancels one request ends its LAN connection, and keeps the other requests', async () => {
  const closed: string[] = [];
  await using lan = await startLanService((request, response) => {
    response.on('close', () => closed.push(request.url ?? ''));
    if (request.url === '/endless') response.write('begun');
    else response.end('done');
  });
  await using visit = await startVisit(lan.port);
  const stream = visit.visitor.open({ ':path': '/endless' });
  await once(stream, 'data');
  stream.close(constants.NGHTTP2_CANCEL);
  await expect.poll(() => closed).toEqual(['/endless']);
  expect((await visit.visitor.fetch('/other')).body.toString()).toBe('done');
});

test('an upload that breaks off is never taken for a complete one', async () => {
  const requests: string[] = [];
  await using lan = await startLanService((request) => {
    request.resume();
    request.on('end', () => requests.push('whole'));
    request.on('close', () => requests.push(request.complete ? 'complete' : 'cut'));
  });
  await using visit = await startVisit(lan.port);
  const begin = async () => {
    const { length } = visit.agent.opened;
    const stream = visit.visitor.open({ ':method': 'POST' });
    stream.write('part');
    await expect.poll(() => visit.agent.opened.length).toBe(length + 1);
    return stream;
  };
  // The first resets with NO_ERROR, which might be mistaken for an end.
  for (const error of [undefined, new Error('the visitor left')]) {
    const stream = await begin();
    stream.destroy(error);
  }
  await begin();
  visit.visitor.session.destroy();
  await expect.poll(() => requests).toEqual(['cut', 'cut', 'cut']);
});

test('an answer before the request is complete reaches the visitor, and NO_ERROR stops the upload', async () => {
  await using lan = await startRawService((socket) => {
    socket.once('data', (head: Buffer) =>
      socket.write(
        head.includes('/chunked')
          ? 'HTTP/1.1 413 Too Large\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nbig\r\n0\r\nX-Sum: 1\r\n\r\n'
          : 'HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig',
      ),
    );
  });
  await using visit = await startVisit(lan.port);
  for (const path of ['/length', '/chunked']) {
    const stream = visit.visitor.open({ ':method': 'POST', ':path': path, 'content-length': 1_000_000 });
    stream.write('part');
    const answer = await answerOf(stream);
    expect([answer.status, answer.body.toString(), answer.code]).toEqual([413, 'big', constants.NGHTTP2_NO_ERROR]);
  }
});

test('an answer may begin while the request is still sent, and each ends by itself', async () => {
  await using lan = await startLanService((request, response) => {
    response.writeHead(200).write('ready ');
    request.on('data', (part: Buffer) => response.write(part));
    request.on('end', () => response.end(' end'));
  });
  await using visit = await startVisit(lan.port);
  const stream = visit.visitor.open({ ':method': 'POST' });
  const answered = answerOf(stream);
  await once(stream, 'response');
  for (const word of ['one', 'two', 'three']) {
    const echoed = once(stream, 'data');
    stream.write(word);
    await echoed;
  }
  stream.end();
  expect((await answered).body.toString()).toBe('ready onetwothree end');
});

test('a body of another length than it declares is never taken for a complete one', async () => {
  const ends: string[] = [];
  await using lan = await startLanService((request) => {
    request.resume();
    request.on('close', () => ends.push(request.complete ? 'whole' : 'cut'));
  });
  await using visit = await startVisit(lan.port);
  for (const rest of ['', 'and more than was said']) {
    const { length } = visit.agent.opened;
    const stream = visit.visitor.open({ ':method': 'POST', 'content-length': 10 });
    stream.write('short');
    await expect.poll(() => visit.agent.opened.length).toBe(length + 1);
    stream.end(rest);
    expect((await answerOf(stream)).code).not.toBe(0);
  }
  await expect.poll(() => ends).toEqual(['cut', 'cut']);
});

test('a visitor that stops reading one answer stalls nothing else', { timeout: 60_000 }, async () => {
  const body = randomBytes(8 << 20);
  await using lan = await startLanService((request, response) => response.end(request.url === '/big' ? body : 'small'));
  await using visit = await startVisit(lan.port);
  const stalled = Array.from({ length: 20 }, () => visit.visitor.open({ ':path': '/big' }));
  for (const stream of stalled) stream.on('response', () => stream.pause());
  await Promise.all(stalled.map((stream) => once(stream, 'response')));
  for (let turn = 0; turn < 3; turn++) {
    expect((await visit.visitor.fetch('/small')).body.toString()).toBe('small');
    expect((await visit.visitor.fetch('/big')).body.equals(body)).toBe(true);
  }
  const [first, ...others] = stalled;
  for (const stream of others) stream.close(constants.NGHTTP2_CANCEL);
  if (first === undefined) throw new Error('there are twenty');
  first.resume();
  expect(sha256((await answerOf(first)).body)).toBe(sha256(body));
});

test('an upload that its service does not read stalls nothing else', { timeout: 60_000 }, async () => {
  const held: Socket[] = [];
  await using lan = await startRawService((socket) => {
    socket.once('data', (head: Buffer) => {
      if (!head.includes('/stall'))
        return void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok');
      socket.pause();
      held.push(socket);
    });
  });
  await using visit = await startVisit(lan.port);
  const body = Buffer.alloc(32 << 20);
  const stalled = Array.from({ length: 4 }, () => visit.visitor.open({ ':method': 'POST', ':path': '/stall' }));
  for (const stream of stalled) stream.write(body);
  await expect.poll(() => held.length).toBe(4);
  expect((await visit.visitor.fetch('/other')).body.toString()).toBe('ok');
  expect((await visit.visitor.fetch({ ':method': 'POST' }, 'x')).body.toString()).toBe('ok');
  for (const stream of stalled) expect(stream.bufferSize).toBeGreaterThan(0);
});

test('a connection leads only to the mapping of its SNI', async () => {
  await using lan = await startLanService((_request, response) => response.end('device'));
  await using visit = await startVisit(lan.port);
  expect((await visit.visitor.fetch('/')).body.toString()).toBe('device');
  expect((await visit.visitor.fetch({ ':authority': 'cam.localhost' })).status).toBe(421);
  expect((await visit.visitor.fetch({ ':authority': 'nobody.localhost' })).status).toBe(404);
});

test('a ticket is redeemed and its cookie opens the gate', async () => {
  await using lan = await startLanService((request, response) => response.end(`lan ${request.headers.cookie}`));
  await using visit = await startVisit(lan.port);
  const { t, device, visitor } = visit;
  t.server.put({ ...device, routes: device.routes.map((route) => ({ ...route, policy: 'owner' })) });
  await expect.poll(async () => (await visitor.fetch('/')).status).toBe(403);
  const page = await visitor.fetch({ accept: 'text/html' });
  expect(page.body.toString()).toContain('请先通过身份验证');
  const mappingId = device.routes[0]?.mappingId ?? 0;
  t.server.handlers.redeem = () => ({ verificationId: 5, mappingId, expiresAtMs: Date.now() + 60_000 });
  const verified = await visitor.fetch(`/.tongtu/verify?ticket=${'A'.repeat(43)}&next=%2Fx`);
  expect([verified.status, verified.headers.location]).toEqual([302, '/x']);
  const cookie = String(verified.headers['set-cookie']).split(';')[0] ?? '';
  expect((await visitor.fetch({ ':path': '/x', cookie: `${cookie}; a=1` })).body.toString()).toBe('lan a=1');
});

test('each stream counts against the limit of one address at a device', async () => {
  const waiting: Array<() => void> = [];
  await using lan = await startLanService((_request, response) => void waiting.push(() => response.end('done')));
  await using visit = await startVisit(lan.port, { maxStreamsPerVisitor: 2, maxWaitingPerVisitor: 0 });
  const waits = [visit.visitor.fetch('/1'), visit.visitor.fetch('/2')];
  await expect.poll(() => waiting.length).toBe(2);
  expect((await visit.visitor.fetch('/3')).status).toBe(429);
  for (const finish of waiting) finish();
  expect((await Promise.all(waits)).map(({ status }) => status)).toEqual([200, 200]);
});

test('where a login belongs to the connection, the visitor is sent to HTTP/1.1', async () => {
  await using lan = await startLanService((_request, response) =>
    response.writeHead(401, { 'WWW-Authenticate': 'NTLM' }).end(),
  );
  await using visit = await startVisit(lan.port);
  const required = constants.NGHTTP2_HTTP_1_1_REQUIRED;
  expect((await visit.visitor.fetch('/')).code).toBe(required);
  expect((await visit.visitor.fetch({ authorization: 'NTLM TlRM' })).code).toBe(required);
});

test('a WebSocket uses HTTP/1.1 beside the HTTP/2 requests of the same page', async () => {
  await using lan = await startLanService((_request, response) => response.end('page'));
  const sockets = new WebSocketServer({ server: lan.server });
  sockets.on('connection', (socket) => socket.on('message', (message) => socket.send(message)));
  await using visit = await startVisit(lan.port);
  expect((await visit.visitor.fetch('/')).body.toString()).toBe('page');
  const socket = new WebSocket(`wss://${HOST}/live`, {
    createConnection: () =>
      connectTls({
        port: visit.t.relay.tlsPort,
        host: '127.0.0.1',
        servername: HOST,
        ALPNProtocols: ['http/1.1'],
        rejectUnauthorized: false,
      }),
  });
  await once(socket, 'open');
  socket.send('hello');
  const [message] = (await once(socket, 'message')) as [Buffer];
  expect(message.toString()).toBe('hello');
  expect((await visit.visitor.fetch('/again')).body.toString()).toBe('page');
  expect(visit.visitor.session.remoteSettings.enableConnectProtocol).toBe(false);
  socket.close();
  await once(socket, 'close');
});

test('a visitor without HTTP/2 gets HTTP/1.1 on the same port', async () => {
  await using lan = await startLanService((request, response) => response.end(`version ${request.httpVersion}`));
  await using visit = await startVisit(lan.port);
  const tls = { port: visit.t.relay.tlsPort, host: '127.0.0.1', servername: HOST, rejectUnauthorized: false };
  await using visitor = new RawClient(connectTls({ ...tls, ALPNProtocols: ['http/1.1'] }));
  visitor.send(`GET / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`);
  expect(await visitor.untilEnd()).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*version 1\.1$/);
});
