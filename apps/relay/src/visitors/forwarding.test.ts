import { createHash, randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { connect as connectTls } from 'node:tls';
import { afterEach, expect, test, vi } from 'vitest';
import { defaultRelayLimits } from '../config/relay-limits.ts';
import { openRawClient, RawClient } from '../testing/clients/raw-client.ts';
import { startRawService } from '../testing/raw-service.ts';
import { createAgentKey, startLanService, startTestRelay, testDevice } from '../testing/start-test-relay.ts';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('two hosts on one connection go to two devices, each with its own answer', async () => {
  await using t = await startTestRelay();
  await using nas = await startLanService((request, response) => response.end(`nas:${request.url}`));
  await using cam = await startLanService((request, response) => response.end(`cam:${request.url}`));
  const [nasKey, camKey] = [createAgentKey(), createAgentKey()];
  await t.connectDevice(testDevice(nasKey, { 'nas.localhost': nas.port }), nasKey);
  await t.connectDevice(testDevice(camKey, { 'cam.localhost': cam.port }), camKey);
  await using visitor = openRawClient(t.relay.httpPort);
  // All at once: the answers must still come one after another.
  visitor.send(
    'GET /1 HTTP/1.1\r\nHost: nas.localhost\r\n\r\nGET /2 HTTP/1.1\r\nHost: cam.localhost\r\n\r\nGET /3 HTTP/1.1\r\nHost: localhost\r\n\r\n',
  );
  const text = await visitor.until(/console:\/3/);
  expect(text.match(/(nas|cam|console):\/\d/g)).toEqual(['nas:/1', 'cam:/2', 'console:/3']);
});

test('a connection to the device is reused only for its own mapping', async () => {
  await using t = await startTestRelay();
  await using lan = await startLanService((request, response) => response.end(`ok ${request.socket.remotePort}`));
  const key = createAgentKey();
  const agent = await t.connectDevice(testDevice(key, { 'a.localhost': lan.port, 'b.localhost': lan.port }), key);
  for (const host of ['a', 'a', 'b', 'a', 'b']) {
    await using visitor = openRawClient(t.relay.httpPort);
    visitor.send(`GET / HTTP/1.1\r\nHost: ${host}.localhost\r\n\r\n`);
    await visitor.until(/ok \d+/);
  }
  expect(agent.opened.map((request) => request.mappingId)).toHaveLength(2);
  expect(new Set(agent.opened.map((request) => request.mappingId)).size).toBe(2);
});

test('many visitors at once reuse the connections that were opened for the ones before', async () => {
  await using t = await startTestRelay();
  const waiting: Array<() => void> = [];
  await using lan = await startLanService((_request, response) => void waiting.push(() => response.end('ok')));
  const key = createAgentKey();
  const agent = await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  const visitors = Array.from({ length: 64 }, () => openRawClient(t.relay.httpPort));
  for (let round = 0; round < 3; round++) {
    for (const visitor of visitors) {
      visitor.clear();
      visitor.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
    }
    await expect.poll(() => waiting.length).toBe(64);
    for (const answer of waiting.splice(0)) answer();
    for (const visitor of visitors) await visitor.until(/ok/);
  }
  expect(agent.opened).toHaveLength(64);
  for (const visitor of visitors) await visitor[Symbol.asyncDispose]();
});

test('a kept connection that the service closed at that moment is replaced without the visitor noticing', async () => {
  await using t = await startTestRelay();
  let requests = 0;
  await using lan = await startRawService((socket) => {
    let isFirst = true;
    socket.on('data', () => {
      requests++;
      // Promises keep-alive, and closes the connection at the next request.
      if (isFirst) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      else socket.destroy();
      isFirst = false;
    });
  });
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send('GET /1 HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
  await visitor.until(/ok$/);
  visitor.clear();
  visitor.send('GET /2 HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
  expect(await visitor.until(/ok$/)).toMatch(/^HTTP\/1\.1 200 OK/);
  expect(requests).toBe(3);
  visitor.clear();
  // A POST may have been carried out, so it is never sent twice.
  visitor.send('POST /3 HTTP/1.1\r\nHost: nas.localhost\r\nContent-Length: 1\r\n\r\nx');
  expect(await visitor.until(/\r\n\r\n./)).toMatch(/^HTTP\/1\.1 502/);
});

test('a request with a body is never sent twice, even when its method would allow it', async () => {
  await using t = await startTestRelay();
  const requests: string[] = [];
  await using lan = await startRawService((socket) => {
    let isFirst = true;
    socket.on('data', (bytes: Buffer) => {
      requests.push(bytes.toString().slice(0, 4));
      if (isFirst) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      else socket.destroy();
      isFirst = false;
    });
  });
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send('GET /1 HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
  await visitor.until(/ok$/);
  visitor.clear();
  visitor.send('PUT /2 HTTP/1.1\r\nHost: nas.localhost\r\nContent-Length: 4\r\n\r\nbody');
  expect(await visitor.until(/\r\n\r\n./)).toMatch(/^HTTP\/1\.1 502 /);
  expect(requests).toEqual(['GET ', 'PUT ']);
});

test('8 MB go up and come back unchanged, over http and over https', { timeout: 60_000 }, async () => {
  await using t = await startTestRelay();
  await using lan = await startLanService((request, response) => {
    response.writeHead(200, { 'x-length': request.headers['content-length'] ?? 'chunked' });
    request.pipe(response);
  });
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  const body = randomBytes(8 << 20);
  const head = 'POST /echo HTTP/1.1\r\nHost: nas.localhost\r\nConnection: close\r\n';
  for (const scheme of ['http', 'https']) {
    const { httpPort, tlsPort } = t.relay;
    await using visitor =
      scheme === 'http'
        ? openRawClient(httpPort)
        : new RawClient(connectTls({ port: tlsPort, host: '127.0.0.1', rejectUnauthorized: false }));
    visitor.send(`${head}Content-Length: ${body.length}\r\n\r\n`);
    visitor.socket.write(body);
    const text = await visitor.untilEnd();
    expect(text).toContain(`x-length: ${body.length}`);
    // Node's server answers in chunks: take the payload out of them.
    const parts: string[] = [];
    for (let at = text.indexOf('\r\n\r\n') + 4; ;) {
      const lineEnd = text.indexOf('\r\n', at);
      const size = Number.parseInt(text.slice(at, lineEnd), 16);
      if (size === 0) break;
      parts.push(text.slice(lineEnd + 2, lineEnd + 2 + size));
      at = lineEnd + 2 + size + 2;
    }
    expect(sha256(Buffer.from(parts.join(''), 'latin1'))).toBe(sha256(body));
  }
});

test('a chunked body arrives with its trailers, after an interim answer', async () => {
  await using t = await startTestRelay();
  await using lan = await startLanService((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => response.end(`${body} ${request.trailers['x-sum']}`));
  });
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send(
    'POST / HTTP/1.1\r\nHost: nas.localhost\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\nExpect: 100-continue\r\n\r\n',
  );
  expect(await visitor.until(/\r\n\r\n/)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  visitor.clear();
  for (const piece of ['5\r', '\nhel', 'lo\r\n0\r\nX-S', 'um: 9\r\n\r', '\n']) visitor.send(piece);
  expect(await visitor.until(/hello 9/)).toMatch(/^HTTP\/1\.1 200 OK/);
});

test.each([
  ['many', 'HTTP/1.1 103 Early Hints\r\n\r\n', 16],
  ['long', `HTTP/1.1 103 Early Hints\r\nLink: ${'x'.repeat(20_000)}\r\n\r\n`, 3],
])('a service that sends too %s interim answers is stopped', async (_what, interim, passed) => {
  await using t = await startTestRelay();
  await using lan = await startRawService((socket) => {
    socket.once('data', () => socket.write(interim.repeat(20)));
  });
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\nConnection: close\r\n\r\n');
  const text = await visitor.untilEnd();
  expect(text.split('HTTP/1.1 103 ')).toHaveLength(passed + 1);
  expect(text).toMatch(/\r\n\r\nHTTP\/1\.1 502 /);
});

test('answers to HEAD, 204 and 304 end with their head, and the connection stays open', async () => {
  await using t = await startTestRelay();
  await using lan = await startLanService((request, response) => {
    if (request.url === '/304') response.writeHead(304, { 'content-length': 5, etag: '"x"' }).end();
    else if (request.url === '/204') response.writeHead(204).end();
    else response.writeHead(200, { 'content-length': 5 }).end('hello');
  });
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send(
    ['HEAD /', 'GET /304', 'GET /204', 'GET /']
      .map((line) => `${line} HTTP/1.1\r\nHost: nas.localhost\r\n\r\n`)
      .join(''),
  );
  const text = await visitor.until(/hello/);
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 304', 'HTTP/1.1 204', 'HTTP/1.1 200']);
  expect(text.match(/content-length: 5/gi)).toHaveLength(3);
});

test('an HTTP/1.0 visitor gets its answer without chunks, ended by the end of the connection', async () => {
  await using t = await startTestRelay();
  await using lan = await startLanService((_request, response) => {
    response.write('he');
    response.end('llo');
  });
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send('GET / HTTP/1.0\r\nHost: nas.localhost\r\n\r\n');
  const text = await visitor.untilEnd();
  expect(text).toMatch(/\r\nConnection: close\r\n\r\nhello$/);
  expect(text).not.toMatch(/transfer-encoding/i);
});

test('an answer before the request is complete reaches the visitor, and the connection ends after it', async () => {
  await using t = await startTestRelay();
  await using lan = await startRawService((socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig'));
  });
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send('POST / HTTP/1.1\r\nHost: nas.localhost\r\nContent-Length: 1000000\r\n\r\npart');
  const text = await visitor.untilEnd();
  expect(text).toMatch(/^HTTP\/1\.1 413/);
  expect(text).toMatch(/Connection: close\r\n\r\nbig$/);
});

test('an answer may begin while the request is still sent, and each ends by itself', async () => {
  await using t = await startTestRelay();
  await using lan = await startLanService((request, response) => {
    response.writeHead(200).write('ready');
    request.on('data', (part: Buffer) => response.write(part));
    request.on('end', () => response.end('end'));
  });
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send('POST / HTTP/1.1\r\nHost: nas.localhost\r\nTransfer-Encoding: chunked\r\n\r\n');
  await visitor.until(/ready/);
  for (const word of ['one', 'two', 'six']) {
    visitor.clear();
    visitor.send(`3\r\n${word}\r\n`);
    expect(await visitor.until(/\r\n[a-z]+\r\n/)).toContain(word);
  }
  visitor.send('0\r\n\r\n');
  expect(await visitor.untilEnd()).toMatch(/end\r\n0\r\n\r\n$/);
});

test.each([
  ['that nobody asked for', '', 'Connection: Upgrade\r\nUpgrade: websocket'],
  ['to another protocol', 'Connection: Upgrade\r\nUpgrade: websocket\r\n', 'Connection: Upgrade\r\nUpgrade: h2c'],
  ['to nothing', 'Connection: Upgrade\r\nUpgrade: websocket\r\n', 'Connection: Upgrade\r\nX-A: 1'],
  ['without a Connection field', 'Connection: Upgrade\r\nUpgrade: websocket\r\n', 'Upgrade: websocket'],
])('a 101 answer %s becomes a 502', async (_what, asked, answered) => {
  await using t = await startTestRelay();
  await using lan = await startRawService((socket) => {
    socket.once('data', () => socket.write(`HTTP/1.1 101 Switching Protocols\r\n${answered}\r\n\r\n`));
  });
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send(`GET / HTTP/1.1\r\nHost: nas.localhost\r\n${asked}\r\n`);
  expect(await visitor.until(/\r\n\r\n./)).toMatch(/^HTTP\/1\.1 502 /);
});

test('a complete answer of a service that then disconnects reaches a visitor that is still sending', async () => {
  await using t = await startTestRelay();
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': 1 }), key, {
    onOpen: () => ({ text: 'HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig' }),
  });
  await using visitor = openRawClient(t.relay.httpPort);
  // More than the tunnel takes before the service reads.
  visitor.send(`POST / HTTP/1.1\r\nHost: nas.localhost\r\nContent-Length: 9000000\r\n\r\n${'x'.repeat(4 << 20)}`);
  expect(await visitor.untilEnd()).toMatch(/^HTTP\/1\.1 413 [^]*Connection: close\r\n\r\nbig$/);
});

test('a visitor that still sends after an early answer is not cut off, because many programs read only afterwards', async () => {
  // The relay's time passes only as the test says.
  let monotonicMs = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => monotonicMs);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { lingerMs } = defaultRelayLimits;
  await using t = await startTestRelay();
  await using lan = await startRawService((socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig'));
  });
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.socket.setNoDelay(true);
  visitor.send('POST / HTTP/1.1\r\nHost: nas.localhost\r\nContent-Length: 1000\r\n\r\n');
  await visitor.until(/big$/);
  // A slow upload, several times as long as the relay waits for a visitor that says nothing.
  for (let sent = 0; sent < 1_000; sent += 50) {
    visitor.send('x'.repeat(50));
    // The relay has read it when it has answered another visitor.
    await using other = openRawClient(t.relay.httpPort);
    other.send('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    await other.untilEnd();
    monotonicMs += lingerMs / 4;
    vi.advanceTimersByTime(lingerMs / 4); // the sweep for timed-out visitors
  }
  vi.useRealTimers();
  expect(visitor.socket.errored).toBeNull();
  expect(await visitor.untilEnd()).toMatch(/^HTTP\/1\.1 413 [^]*Connection: close\r\n\r\nbig$/);
});

test('an answer that ends by closing ends the visitor’s connection; one that breaks off does not look complete', async () => {
  await using t = await startTestRelay();
  await using lan = await startRawService((socket) => {
    socket.once('data', (head: Buffer) => {
      if (head.includes('/whole')) socket.end('HTTP/1.0 200 OK\r\n\r\nold style');
      else socket.write('HTTP/1.1 200 OK\r\n\r\nhalf', () => socket.resetAndDestroy());
    });
  });
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await using whole = openRawClient(t.relay.httpPort);
  whole.send('GET /whole HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
  expect(await whole.untilEnd()).toMatch(/Connection: close\r\n\r\nold style$/);
  await using half = openRawClient(t.relay.httpPort);
  const error = new Promise<NodeJS.ErrnoException>((resolve) => half.socket.once('error', resolve));
  half.send('GET /half HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
  expect((await error).code).toBe('ECONNRESET');
});

test('a connection whose service sends more than its answer is not reused, and the rest reaches nobody', async () => {
  await using t = await startTestRelay();
  await using lan = await startRawService((socket) => {
    socket.on('data', () =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil'),
    );
  });
  const key = createAgentKey();
  const agent = await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await using visitor = openRawClient(t.relay.httpPort);
  for (let turn = 1; turn <= 2; turn++) {
    visitor.clear();
    visitor.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
    expect(await visitor.until(/ok/)).not.toContain('evil');
    expect(agent.opened).toHaveLength(turn);
  }
});

test('an upgraded connection carries bytes both ways and closes one side at a time', async () => {
  await using t = await startTestRelay();
  await using lan = await startLanService(() => {});
  lan.server.on('upgrade', (request, socket, head) => {
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${request.headers.upgrade}\r\n\r\nfirst `,
    );
    socket.write(head);
    socket.on('data', (chunk: Buffer) => socket.write(chunk));
    socket.on('end', () => socket.end('last'));
  });
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await using visitor = openRawClient(t.relay.httpPort);
  // Some of the new protocol's bytes are sent without waiting.
  visitor.send('GET /ws HTTP/1.1\r\nHost: nas.localhost\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nearly ');
  expect(await visitor.until(/early /)).toMatch(
    /^HTTP\/1\.1 101 Switching Protocols\r\n[^]*Upgrade: echo\r\n[^]*\r\n\r\nfirst early $/,
  );
  visitor.clear();
  visitor.send('more ');
  await visitor.until(/more /);
  visitor.socket.end();
  expect(await visitor.untilEnd()).toBe('more last');
});

test('a refused upgrade is an ordinary answer, and the connection takes the next request', async () => {
  await using t = await startTestRelay();
  await using lan = await startLanService((request, response) => response.end(`plain:${request.url}`));
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send(
    'GET /1 HTTP/1.1\r\nHost: nas.localhost\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nGET /2 HTTP/1.1\r\nHost: nas.localhost\r\n\r\n',
  );
  expect((await visitor.until(/plain:\/2/)).match(/plain:\/\d/g)).toEqual(['plain:/1', 'plain:/2']);
});

test('a visitor that does not read stalls only itself', { timeout: 60_000 }, async () => {
  await using t = await startTestRelay();
  const body = randomBytes(8 << 20);
  await using lan = await startLanService((request, response) => response.end(request.url === '/big' ? body : 'small'));
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await using slow = openRawClient(t.relay.httpPort);
  slow.socket.pause();
  slow.send('GET /big HTTP/1.1\r\nHost: nas.localhost\r\nConnection: close\r\n\r\n');
  for (let turn = 0; turn < 4; turn++) {
    const reply = await new Promise<Buffer>((resolve, reject) => {
      const outgoing = httpRequest({
        port: t.relay.httpPort,
        host: '127.0.0.1',
        path: '/big',
        agent: false,
        headers: { host: 'nas.localhost' },
      });
      outgoing.on('response', (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => resolve(Buffer.concat(parts)));
      });
      outgoing.on('error', reject).end();
    });
    expect(reply.equals(body)).toBe(true);
  }
  slow.socket.resume();
  const text = await slow.untilEnd();
  expect(sha256(Buffer.from(text.slice(text.indexOf('\r\n\r\n') + 4), 'latin1'))).toBe(sha256(body));
});

test('a bound stream of one visitor serves no other', async () => {
  await using t = await startTestRelay();
  let connections = 0;
  await using lan = await startRawService((socket) => {
    const name = ++connections;
    socket.on('data', () => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nstream ${name}`));
  });
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await using signedIn = openRawClient(t.relay.httpPort);
  signedIn.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\nAuthorization: NTLM TlRMTVNTUAAB\r\n\r\n');
  await signedIn.until(/stream 1/);
  await using other = openRawClient(t.relay.httpPort);
  other.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
  await other.until(/stream 2/);
  signedIn.clear();
  signedIn.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
  expect(await signedIn.until(/stream \d/)).toMatch(/stream 1$/);
});

test('a slow visitor gets the last answer completely, however long it takes to read it', async () => {
  await using t = await startTestRelay({ lingerMs: 20, sweepIntervalMs: 5 });
  const body = randomBytes(4 << 20);
  await using lan = await startLanService((_request, response) => response.end(body));
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await using visitor = openRawClient(t.relay.httpPort);
  let pauses = 0;
  visitor.socket.on('data', () => {
    visitor.socket.pause();
    pauses++;
    setTimeout(() => visitor.socket.resume(), 2);
  });
  visitor.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\nConnection: close\r\n\r\n');
  const text = await visitor.untilEnd();
  expect(sha256(Buffer.from(text.slice(text.indexOf('\r\n\r\n') + 4), 'latin1'))).toBe(sha256(body));
  expect(pauses).toBeGreaterThan(20);
});
