import http from 'node:http';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { expect, test } from 'vitest';
import { startRawServer } from '../testing/start-raw-server.ts';
import { createTestSession } from '../testing/test-session.ts';
import { openDownloadsPage } from './testing/downloads-page.ts';

type Answer = (method: string, params: unknown[]) => unknown;

const download = {
  ...{ gid: 'a'.repeat(16), status: 'active', totalLength: '10', completedLength: '5', uploadLength: '0' },
  ...{ downloadSpeed: '1', uploadSpeed: '0', connections: '1' },
};
const stat = { downloadSpeed: '0', uploadSpeed: '0', numWaiting: '0', numStopped: '0', numStoppedTotal: '0' };
const options = { dir: '/d' };

/** A target that answers each call of aria2 as given. Undefined: as an aria2 with one download. */
async function startFakeAria2(answerOf: Answer = () => undefined) {
  const answer = (method: string, params: unknown[]): unknown => {
    const given = answerOf(method, params);
    if (given !== undefined) return given;
    if (method === 'aria2.getGlobalStat') return stat;
    if (method === 'aria2.getGlobalOption') return options;
    if (method === 'aria2.tellActive') return [download];
    return [];
  };
  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.once('end', () => {
      const { method, params } = JSON.parse(body) as { method: string; params: [{ methodName: string; params: [] }[]] };
      const all = params[0];
      const result =
        method === 'system.multicall'
          ? all.map((call) => [answer(call.methodName, call.params)])
          : answer(method, params);
      response.end(JSON.stringify({ jsonrpc: '2.0', id: '1', result }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port, // it listens on TCP
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const sessionOf = (port: number) => createTestSession({ kind: 'aria2', port });

test('names are shown as they read, and an endless one has an end', async () => {
  const name = `${'x'.repeat(100_000)}`;
  await using target = await startFakeAria2((method) =>
    method === 'aria2.getFiles'
      ? [
          {
            index: '1',
            path: `/d/\u202Egpj.exe\n${name}`,
            length: '10',
            completedLength: '5',
            selected: 'true',
            uris: [],
          },
        ]
      : undefined,
  );
  await using page = await openDownloadsPage(sessionOf(target.port));
  page.send({ type: 'watch', details: null });
  const shown = await page.download(({ name: text }) => text !== '');
  expect(shown.name.startsWith('gpj.exe x')).toBe(true);
  expect(shown.name.length).toBeLessThan(1_001);
});

test.each<[string, Answer]>([
  [
    'numbers that are none',
    (method) => (method === 'aria2.tellActive' ? [{ ...download, totalLength: 'NaN' }] : undefined),
  ],
  ['an id that is a path', (method) => (method === 'aria2.tellActive' ? [{ ...download, gid: '../x' }] : undefined)],
  ['an object for a list', (method) => (method === 'aria2.tellWaiting' ? {} : undefined)],
  ['null', () => null],
])('an answer with %s is no protocol, and the page stays', async (_what, answer) => {
  await using target = await startFakeAria2(answer);
  await using page = await openDownloadsPage(sessionOf(target.port));
  page.send({ type: 'watch', details: null });
  expect(await page.until('target_failed')).toMatchObject({ code: 'target.protocol' });
});

test('an answer that is too long is cut, and the gateway asks again', async () => {
  let isLong = true;
  await using target = await startFakeAria2((method) =>
    method === 'aria2.tellActive' && isLong ? ['x'.repeat(5_000_000)] : undefined,
  );
  await using page = await openDownloadsPage(sessionOf(target.port));
  page.send({ type: 'watch', details: null });
  expect(await page.until('target_failed')).toMatchObject({ code: 'downloads.too-much' });
  isLong = false;
  page.send({ type: 'watch', details: null });
  await page.download(() => true);
});

test.each([
  ['a million empty lists', `{"result":[${'[],'.repeat(1_000_000)}[]]}`, 'downloads.too-much'],
  ['lists in lists', `{"result":${'['.repeat(1_000_000)}`, 'target.protocol'],
  ['a text without end', `{"result":"${'\\u0000'.repeat(500_000)}`, 'target.protocol'],
])('an answer of %s is refused before it is unpacked', async (_what, body, code) => {
  const head = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`;
  await using target = await startRawServer((socket: Socket) => socket.once('data', () => socket.write(head + body)));
  await using page = await openDownloadsPage(sessionOf(target.port));
  expect((await page.problem('connect', {})).code).toBe(code);
  expect(page.bugs).toEqual([]);
});

test('an answer that holds more than its account may is refused, with the reason, and nothing is held afterwards', async () => {
  await using target = await startFakeAria2((method) =>
    method === 'aria2.tellActive' ? [{ ...download, errorMessage: 'x'.repeat(600_000) }] : undefined,
  );
  const session = createTestSession({ kind: 'aria2', port: target.port, maxHeldBytes: 1024 * 1024 });
  await using page = await openDownloadsPage(session);
  page.send({ type: 'watch', details: null });
  expect(await page.until('target_failed')).toMatchObject({ code: 'target.over-budget' });
  expect(session.memory.heldBytes).toBe(0);
});

test('a download without end of files has a list with an end', async () => {
  const file = { path: '/d/f', length: '1', completedLength: '0', selected: 'true', uris: [] };
  await using target = await startFakeAria2((method) => {
    if (method === 'aria2.getPeers')
      return [{ ip: '::1', port: '1', bitfield: 'f0', downloadSpeed: '2', uploadSpeed: '3', seeder: 'false' }];
    if (method === 'aria2.getOption') return { 'max-download-limit': '100K' };
    if (method !== 'aria2.tellStatus') return undefined;
    const files = Array.from({ length: 3_000 }, (_, index) => ({ ...file, index: String(index + 1) }));
    return { gid: download.gid, dir: '/d', numPieces: '8', files };
  });
  await using page = await openDownloadsPage(sessionOf(target.port));
  page.send({ type: 'watch', details: download.gid });
  const { details } = await page.until('details');
  expect(details.files).toHaveLength(2_000);
  expect(details).toMatchObject({
    file_count: 3_000,
    download_limit: 102_400,
    peers: [{ address: '[::1]:1', progress: 0.5, download_speed: 2, upload_speed: 3, is_seeder: false }],
  });
});

test.each([
  ['HTML', 'HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n<html>', 'target.protocol'],
  ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'target.protocol'],
  ['a page of errors', 'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n', 'target.protocol'],
  ['a login of its own', 'HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n', 'login.credentials-required'],
  ['half an answer', 'HTTP/1.1 200 OK\r\ncontent-length: 60\r\n\r\n{', 'target.lost'],
])('a target that answers with %s is named', async (_what, bytes, code) => {
  await using target = await startRawServer((socket: Socket) => socket.once('data', () => socket.end(bytes)));
  await using page = await openDownloadsPage(sessionOf(target.port));
  expect((await page.problem('connect', {})).code).toBe(code);
  expect(page.bugs).toEqual([]);
});

test('a target that is off is named, and one that ends the session stops all', async () => {
  const session = sessionOf(1);
  await using page = await openDownloadsPage(session);
  expect((await page.problem('connect', {})).code).toBe('target.refused');
  const closed = page.closed();
  session.end('right-ended');
  expect(await page.until('failed')).toEqual({ type: 'failed', reason: 'right-ended' });
  expect(await closed).toBe(1000);
  expect(await page.problem('connect', {})).toMatchObject({ status: 410, code: 'target.right-ended' });
});

test.each(['x', '{"type":"watch"}', '{"type":"watch","details":"../x"}', '{"type":"shutdown"}'])(
  'a message that is none closes the WebSocket: %s',
  async (text) => {
    await using page = await openDownloadsPage(sessionOf(1));
    const closed = page.closed();
    page.sendText(text);
    expect(await closed).toBe(1008);
  },
);
