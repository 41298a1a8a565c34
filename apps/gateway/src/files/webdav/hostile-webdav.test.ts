import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestSession } from '../../testing/test-session.ts';
import { listAll, pieces, readAll } from '../testing/file-system-suite.ts';
import { problemOf, startFiles } from '../testing/start-files.ts';
import { openWebdav } from './webdav-file-system.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const collection = '<D:resourcetype><D:collection/></D:resourcetype>';
const resource = (href: string, properties = '', status = 'HTTP/1.1 200 OK'): string =>
  `<D:response><D:href>${href}</D:href><D:propstat><D:prop>${properties}</D:prop><D:status>${status}</D:status>` +
  '</D:propstat></D:response>';
const multistatus = (responses: string): string => `<D:multistatus xmlns:D="DAV:">${responses}</D:multistatus>`;
const ownFolder = resource('/dav/', collection);
const file = resource('/dav/file', '<D:getcontentlength>10</D:getcontentlength>');

type Answer = (response: ServerResponse, request: IncomingMessage) => void;
const xml =
  (body: string): Answer =>
  (response) =>
    void response.writeHead(207, { 'content-type': 'application/xml' }).end(body);

/** A server that logs everybody in, and answers the rest as the test wants. */
async function startServer(answer: Answer, { maxHeldBytes = Infinity } = {}) {
  const server = createServer((request, response) => {
    const isLogin = request.method === 'PROPFIND' && request.headers['depth'] === '0' && request.url === '/dav/';
    (isLogin ? xml(multistatus(ownFolder)) : answer)(response, request);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const session = createTestSession({ kind: 'webdav', port, options: { path: '/dav' }, maxHeldBytes });
  return {
    session,
    open: async () => await openWebdav({ session, username: '', password: '' }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test('names that lead elsewhere are shown, and nothing can be done with them', async () => {
  const names = ['..', '.', 'a%2Fb', '..%2F..%2Fetc%2Fpasswd', 'a%00b', '%ff', '%zz', 'line%0Abreak', '<b>'];
  const hrefs = names.map((name) => resource(`/dav/${name.replace('<', '&lt;')}`)).join('');
  await using server = await startServer(xml(multistatus(ownFolder + hrefs)));
  await using client = await startFiles(server.session);
  const { entries } = await client.list('/dav');
  const shown = entries.map(({ name, usable }) => [name, usable ?? true]);
  expect(shown).toEqual([
    ['..', false],
    ['.', false],
    ['a/b', false],
    ['../../etc/passwd', false],
    ['a\0b', false],
    ['\uefff', true],
    ['\ufffd%zz', false],
    ['line\nbreak', true],
    ['<b>', true],
  ]);
  expect(client.bugs).toEqual([]);
});

test('a list asks for what is shown alone, of which servers have much more', async () => {
  const asked = Promise.withResolvers<string>();
  await using server = await startServer((response, request) => {
    text(request).then(asked.resolve, asked.reject);
    xml(multistatus(ownFolder))(response, request);
  });
  await listAll(await server.open(), '/dav');
  expect(await asked.promise).toContain('<prop><resourcetype/><getcontentlength/><getlastmodified/></prop>');
});

test('a folder that has moved twice is listed where it is now', async () => {
  await using server = await startServer((response, request) => {
    const { url } = request;
    if (url === '/new/')
      return xml(multistatus(resource('/new/', collection) + resource('/new/file')))(response, request);
    response.writeHead(301, { location: url === '/dav/' ? 'http://another.name/moved/' : '/new/' }).end('moved');
  });
  expect(await listAll(await server.open(), '/dav')).toMatchObject([{ name: 'file' }]);
});

test('challenges that take the square of their length to read are no challenges', async () => {
  await using server = await startServer((response) => {
    const challenges = [`Digest ${'a'.repeat(7_000)}`, `Digest ${'a'.repeat(7_000)}`];
    response.writeHead(401, { 'www-authenticate': challenges }).end();
  });
  const fileSystem = await openWebdav({ session: server.session, username: 'u', password: 'p' });
  // Within the time of a test: each took 2 seconds.
  for (let count = 0; count < 100; count++)
    await expect(listAll(fileSystem, '/dav')).rejects.toMatchObject({ code: 'login-failed' });
});

test('a name that is longer than any is shown by its beginning, and one without end is no answer', async () => {
  await using server = await startServer(xml(multistatus(ownFolder + resource(`/dav/${'n'.repeat(5_000)}`))));
  await using client = await startFiles(server.session);
  const { entries } = await client.list('/dav');
  expect(entries).toMatchObject([{ name: `${'n'.repeat(255)}\ufffd`, usable: false }]);
  await using endless = await startServer(xml(multistatus(ownFolder + resource(`/dav/${'n'.repeat(5_000_000)}`))));
  await expect(listAll(await endless.open(), '/dav')).rejects.toMatchObject({ code: 'protocol' });
  expect(client.bugs).toEqual([]);
});

test('a list that holds more than its account may is refused, with the reason, and holds nothing afterwards', async () => {
  const entries = Array.from({ length: 20_000 }, (_, index) => resource(`/dav/${'n'.repeat(200)}${index}`)).join('');
  await using server = await startServer(xml(multistatus(ownFolder + entries)), { maxHeldBytes: 4 * 1024 * 1024 });
  await using client = await startFiles(server.session);
  const reply = await client.get('list', { path: '/dav' });
  expect(await problemOf(reply)).toMatchObject({ replyStatus: 503, code: 'target.over-budget' });
  await expect.poll(() => server.session.memory.heldBytes).toBe(0);
  expect(client.bugs).toEqual([]);
});

test('what a server does not have, and what it says twice, does not count', async () => {
  const twice =
    '<D:response><D:href><![CDATA[/dav/x]]></D:href>' +
    '<D:propstat><D:prop><D:getcontentlength>5</D:getcontentlength></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>' +
    '<D:propstat><D:prop><D:getcontentlength/><D:resourcetype><D:collection/></D:resourcetype></D:prop>' +
    '<D:status>HTTP/1.1 404 Not Found</D:status></D:propstat></D:response>';
  const lies = resource(
    '/dav/lies',
    '<D:getcontentlength>-1e9</D:getcontentlength><D:getlastmodified>?</D:getlastmodified>',
  );
  await using server = await startServer(xml(multistatus(ownFolder + twice + lies)));
  const fileSystem = await server.open();
  expect(await listAll(fileSystem, '/dav')).toEqual([
    { name: 'x', type: 'file', size: 5, modifiedAt: null },
    { name: 'lies', type: 'file', size: null, modifiedAt: null },
  ]);
});

test('a connection that the server closes between two requests is not used again', async () => {
  const closed = Promise.withResolvers<void>();
  const ports = new Set<number | undefined>();
  await using server = await startServer((response, request) => {
    const { socket } = request;
    ports.add(socket.remotePort);
    socket.once('close', () => closed.resolve());
    xml(multistatus(ownFolder))(response, request);
    response.once('finish', () => socket.end());
  });
  const fileSystem = await server.open();
  for (let n = 0; n < 2; n++) {
    expect(await listAll(fileSystem, '/dav')).toEqual([]);
    await closed.promise;
  }
  expect(ports.size).toBe(2);
});

/** Sends the same again and again, as long as the other side reads. */
const endlessly =
  (start: string, again: string): Answer =>
  (response) => {
    const part = Buffer.from(again.repeat(Math.ceil(200_000 / again.length)));
    response.writeHead(207).write(start);
    const sendOn = (): void => {
      while (!response.destroyed && response.write(part));
      response.once('drain', sendOn);
    };
    sendOn();
  };
const opened = '<D:multistatus xmlns:D="DAV:">';
const packed =
  (body: string): Answer =>
  (response) =>
    void response.writeHead(207, { 'content-encoding': 'gzip' }).end(gzipSync(body, { level: 1 }));

test.each<[string, Answer, object]>([
  ['without end', endlessly(opened + ownFolder, resource(`/dav/${'x'.repeat(10_000)}`)), { code: 'too-many-entries' }],
  ['of ever deeper elements', endlessly(opened, '<a>'), { code: 'protocol' }],
  ['of another document', xml('<html>'), { code: 'protocol' }],
  ['in one element with endless attributes', endlessly(`${opened}<a `, 'b="c" '), { code: 'protocol' }],
  ['that is compressed to a thousandth', packed(`${opened}<${'a'.repeat(20_000_000)}`), { code: 'protocol' }],
  ['that stops before its end', xml(opened + ownFolder + file), { code: 'protocol' }],
  [
    'that is shorter than announced',
    (response) => {
      response.writeHead(207, { 'content-length': 100_000 }).write(multistatus(ownFolder));
      setImmediate(() => response.destroy());
    },
    { code: 'lost' },
  ],
  [
    'of entities that multiply',
    xml(`<!DOCTYPE x [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;">]>${multistatus(ownFolder + resource('/dav/&b;'))}`),
    { code: 'none' },
  ],
])('a list %s is read or refused', async (_what, answer, outcome) => {
  await using server = await startServer(answer);
  const fileSystem = await server.open();
  const listed = listAll(fileSystem, '/dav').then((entries) => ({ code: 'none', entries }));
  expect(await listed.catch((error: unknown) => error)).toMatchObject(outcome);
  fileSystem.close();
});

test.each<[string, Answer, object]>([
  ['is shorter than it was', (response) => void response.end('12345'), { code: 'changed' }],
  ['is longer than it was', (response) => void response.end('0123456789 and more'), { text: '0123456789' }],
  [
    'is cut',
    (response) => {
      response.writeHead(200, { 'content-length': 10 }).write('12345');
      setImmediate(() => response.destroy());
    },
    { code: 'lost' },
  ],
])('a file that %s is cut or refused', async (_what, answer, outcome) => {
  await using server = await startServer(answer);
  const fileSystem = await server.open();
  const read = readAll(fileSystem, '/dav/file', 0, 10).then((bytes) => ({ text: bytes.toString() }));
  expect(await read.catch((error: unknown) => error)).toMatchObject(outcome);
  fileSystem.close();
});

type Refusal = [string, { status: number; headers?: Record<string, string> }, object];
const challenge = { 'www-authenticate': 'Digest realm="nas", nonce="n", qop="auth"' };
const refusals: Refusal[] = [
  ['a refused login', { status: 401, headers: challenge }, { code: 'login-failed' }],
  ['a missing folder', { status: 404 }, { code: 'not-found' }],
  ['a redirect', { status: 302 }, { code: 'protocol' }],
  ['a redirect to itself', { status: 302, headers: { location: '/dav/' } }, { code: 'protocol' }],
  ['no multistatus', { status: 200 }, { code: 'protocol' }],
];

test.each(refusals)('the body of %s, which nobody reads, keeps no connection', async (_what, head, outcome) => {
  const part = Buffer.alloc(100_000);
  let isSilent = false;
  await using server = await startServer((response) => {
    response.writeHead(head.status, head.headers);
    // Without end, or with an end that never comes.
    const sendOn = (): void => {
      while (!response.destroyed && response.write(part));
      response.once('drain', sendOn);
    };
    if (isSilent) response.write('<html>');
    else sendOn();
  });
  const fileSystem = await openWebdav({ session: server.session, username: 'u', password: 'p' });
  const listNine = async (): Promise<void> => {
    for (let count = 0; count < 9; count++) {
      await expect(listAll(fileSystem, '/dav')).rejects.toMatchObject(outcome);
      if (isSilent) await vi.advanceTimersByTimeAsync(10_000);
    }
  };
  await listNine();
  isSilent = true;
  await listNine();
  fileSystem.close();
});

const silent: Answer = (response) => void response.writeHead(207).write(opened);
test.each<[string, Answer, (server: Awaited<ReturnType<typeof startServer>>) => Promise<unknown>]>([
  ['a list', silent, async ({ open }) => await listAll(await open(), '/dav')],
  ['a file', silent, async ({ open }) => await readAll(await open(), '/dav/file', 0, 1_000)],
  [
    'an upload that it has read',
    (_response, request) => void request.resume(),
    async ({ open }) => await (await open()).write('/dav/new', pieces(Buffer.alloc(9), 3), { start: 0, total: 9 }),
  ],
  [
    'an upload that it does not read',
    () => {},
    async ({ open }) => {
      const bytes = Buffer.alloc(64 * 1024 * 1024);
      return await (await open()).write('/dav/new', pieces(bytes, 1_000_000), { start: 0, total: bytes.length });
    },
  ],
])('a target that stops in the middle of %s has timed out', async (_what, answer, call) => {
  await using server = await startServer(answer);
  const outcome = call(server).catch((error: unknown) => error);
  let isSettled = false;
  void outcome.finally(() => (isSettled = true));
  while (!isSettled) {
    await vi.advanceTimersByTimeAsync(1_000);
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate); // sockets and threads know no such clock
  }
  expect(await outcome).toMatchObject({ name: 'TargetError', code: 'timed-out' });
});

test('a copy inside the target may take hours, and its failure is reported in the answer that has begun', async () => {
  const waiting = Promise.withResolvers<ServerResponse>();
  await using server = await startServer((response, request) => {
    if (request.method === 'COPY') return waiting.resolve(response);
    if (request.method === 'DELETE') return void response.writeHead(204).end();
    if (request.url === '/dav/file') return xml(multistatus(file))(response, request);
    return void response.writeHead(404).end();
  });
  await using client = await startFiles(server.session);
  const answer = client.post('copy', { from: '/dav/file', to: '/dav/copy' });
  const copying = await waiting.promise;
  for (let minute = 0; minute < 120; minute++) {
    await vi.advanceTimersByTimeAsync(60_000);
    await new Promise(setImmediate);
  }
  expect((await answer).status).toBe(200);
  expect(server.session.calls.length).toBeGreaterThan(100); // it does not fall asleep meanwhile
  copying.writeHead(507).end();
  expect(JSON.parse(await (await answer).text())).toMatchObject({ status: 507, code: 'files.disk-full' });
  expect(client.bugs).toEqual([]);
});

test('a copy is given up when the page is closed, and what was copied is deleted', async () => {
  const seen: string[] = [];
  const copied = Promise.withResolvers<void>();
  await using server = await startServer((response, request) => {
    if (request.method === 'COPY') {
      copied.resolve();
      return void response.once('close', () => seen.push('gave up'));
    }
    if (request.method === 'DELETE') seen.push(`deleted ${decodeURI(request.url ?? '').replace(/copy.*part/, 'part')}`);
    if (request.url === '/dav/file') return xml(multistatus(file))(response, request);
    return void response.writeHead(request.method === 'DELETE' ? 204 : 404).end();
  });
  await using client = await startFiles(server.session);
  const page = new AbortController();
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ from: '/dav/file', to: '/dav/copy' });
  const answer = fetch(client.url('copy'), { method: 'POST', headers, body, signal: page.signal });
  answer.catch(() => {}); // it is given up
  await copied.promise;
  page.abort();
  await vi.waitFor(() => expect(seen).toEqual(['gave up', 'deleted /dav/.part']));
});
