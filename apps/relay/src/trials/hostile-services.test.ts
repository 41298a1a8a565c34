import { TrialResult, type TrialVisit } from '@tongtu/contract';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRawService } from '../testing/raw-service.ts';
import { createAgentKey, startTestRelay, testDevice, type TestRelay } from '../testing/start-test-relay.ts';

let t: TestRelay;
beforeAll(async () => (t = await startTestRelay()));
afterAll(async () => await t[Symbol.asyncDispose]());

let correlation = 0;
/** What the relay reports of a service that does this with each connection. */
async function visit(onConnection: (socket: Socket) => void): Promise<TrialResult> {
  await using service = await startRawService(onConnection);
  const key = createAgentKey();
  const device = testDevice(key, { 'nas.localhost': service.port });
  await t.connectDevice(device, key);
  const sent = ++correlation;
  const place = { mappingId: device.routes[0]?.mappingId ?? 0, scheme: 'https', authority: 'nas.localhost' } as const;
  const asked: TrialVisit = { ...place, address: '203.0.113.7', settings: {} };
  t.server.send({ type: 'trial', correlation: sent, deviceId: device.deviceId, visit: asked });
  const { result } = await t.server.waitFor('trial_result', (message) => message.correlation === sent);
  return TrialResult.parse(result);
}

const answering = (answer: string | Buffer) => (socket: Socket) => void socket.once('data', () => socket.end(answer));

/** Sends without end. */
const flooding = (beginning: string, part: string) => (socket: Socket) => {
  const go = () => {
    while (!socket.destroyed && socket.write(part));
  };
  socket.on('drain', go);
  socket.once('data', () => {
    socket.write(beginning);
    go();
  });
};

const OK = 'HTTP/1.1 200 OK\r\n';
const HTML = `${OK}Content-Type: text/html\r\n`;
const fields = (count: number) => Array.from({ length: count }, (_, at) => `X-${at}: b\r\n`).join('');

test.each([
  [
    'garbage',
    answering(Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 7_919) % 256))),
    'target-bad-answer',
  ],
  ['a head without end', flooding(OK, 'X-A: b\r\n'.repeat(1_000)), 'target-bad-answer'],
  ['a line without end', flooding(`${OK}X: `, 'x'.repeat(10_000)), 'target-bad-answer'],
  ['empty lines without end', flooding('', '\r\n'.repeat(5_000)), 'target-bad-answer'],
  ['interim answers without end', flooding('', 'HTTP/1.1 103 Early\r\n\r\n'.repeat(100)), 'target-bad-answer'],
  ['a head of 10 000 fields', answering(`${OK}${fields(10_000)}\r\n`), 'target-bad-answer'],
  ['a length that is none', answering(`${OK}Content-Length: -1\r\n\r\nhello`), 'target-bad-answer'],
  ['chunks that are none', answering(`${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\n`), 'target-bad-answer'],
  [
    'a 101 that nobody asked for',
    answering('HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    'target-bad-answer',
  ],
  ['nothing', answering(''), 'target-lost'],
  ['a reset', (socket: Socket) => void socket.once('data', () => socket.resetAndDestroy()), 'target-refused'],
])('a service that sends %s gives a clear result', async (_what, onConnection, failure) => {
  expect(await visit(onConnection)).toMatchObject({ answers: [], failure, script: null, socket: null });
});

test.each([
  ['3 000 fields', answering(`${OK}${fields(3_000)}Content-Length: 2\r\n\r\nok`), { title: null, isCut: false }],
  [
    'less than its length',
    answering(`${HTML}Content-Length: 100\r\n\r\n<title>NAS</title>`),
    { title: 'NAS', isCut: true },
  ],
  [
    'more than its length',
    answering(`${HTML}Content-Length: 18\r\n\r\n<title>NAS</title>and more`),
    { title: 'NAS', isCut: false },
  ],
  ['a body without end', flooding(`${HTML}\r\n<title>NAS</title>`, 'y'.repeat(10_000)), { title: 'NAS', isCut: false }],
  [
    'chunks without end',
    flooding(`${OK}Transfer-Encoding: chunked\r\n\r\n`, '1\r\na\r\n'.repeat(1_000)),
    { isCut: false },
  ],
  [
    'a page that is huge when it is unpacked',
    answering(
      Buffer.concat([
        Buffer.from(`${HTML}Content-Encoding: gzip\r\n\r\n`),
        gzipSync(Buffer.concat([Buffer.from('<title>NAS</title>'), Buffer.alloc(500_000, 'page')])),
      ]),
    ),
    { title: 'NAS' },
  ],
  ['titles that do not end', answering(`${HTML}\r\n${'<title '.repeat(9_000)}<title>late</title>`), { title: null }],
  ['a title that hides', answering(`${HTML}\r\n<title>\u202e\0\u001b[31mNAS\u200b</title>`), { title: '[31mNAS' }],
])('a service that sends %s is read as far as that goes', async (_what, onConnection, answer) => {
  expect(await visit(onConnection)).toMatchObject({ answers: [{ status: 200, ...answer }], failure: null });
});

test.each([
  ['/a|b"c\\d^`{}<>?x=|\\^`{}"', 6],
  [`/${'a'.repeat(3_000)}`, 6],
  ['//x@nas.localhost//y', 6],
  ['javascript:alert(1)', 1],
  ['//', 1],
  ['https://nas.localhost:444/', 1],
])('a redirect to %.30j leads to no other place', async (location, answers) => {
  const cookies = Array.from({ length: 40 }, (_, at) => `Set-Cookie: c${at}=${'v'.repeat(900)}\r\n`).join('');
  const result = await visit(
    answering(`HTTP/1.1 302 X\r\nLocation: ${location}\r\n${cookies}Content-Length: 0\r\n\r\n`),
  );
  expect(result.failure).toBeNull();
  expect(result.answers).toHaveLength(answers);
  expect(result.answers.at(-1)?.cookies).toHaveLength(20);
});
