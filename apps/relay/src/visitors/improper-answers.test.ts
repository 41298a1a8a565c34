import { get, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { Http2Client } from '../testing/clients/http2-client.ts';
import { openRawClient } from '../testing/clients/raw-client.ts';
import { startRawService } from '../testing/raw-service.ts';
import { createAgentKey, startTestRelay, testDevice } from '../testing/start-test-relay.ts';

const HOST = 'nas.localhost';

/** A device whose service sends the answer that the path numbers, and closes the connection where that is asked for. */
async function startOldDevice(answers: ReadonlyArray<{ text: string; closes?: boolean }>) {
  const stack = new AsyncDisposableStack();
  const t = stack.use(await startTestRelay());
  const connections: string[][] = [];
  const lan = stack.use(
    await startRawService((socket) => {
      const paths: string[] = [];
      connections.push(paths);
      socket.on('data', (chunk) => {
        const path = chunk.toString('latin1').split(' ')[1] ?? '';
        paths.push(path);
        const { text, closes } = answers[Number(path.slice(1))] ?? { text: '' };
        socket.write(text, 'latin1');
        if (closes === true) socket.end();
      });
    }),
  );
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { [HOST]: lan.port }), key);
  return { t, connections, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** Node's client reads strictly. */
async function visit(port: number, path: string, method = 'GET') {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, path, method, headers: { host: HOST }, agent: false }, resolve).on('error', reject);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer); // no encoding is set
  return { status: response.statusCode, fields: response.headers, body: Buffer.concat(chunks).toString('latin1') };
}

const ok = 'HTTP/1.1 200 OK\r\n';
const hello = [
  { text: 'HTTP/1.0 200\nContent-Length: 5\nX-A: 1\n\nhello' },
  { text: 'HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5  \nhello\n0\n\n' },
  { text: `\r\n${ok}Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello` },
  { text: `${ok}Content-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n` },
  { text: 'HTTP/1.0 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n' },
  { text: `${ok}X-A : 1\r\n folded\r\nno colon\r\n: no name\r\nContent-Length : 5\r\n\r\nhello` },
  { text: `${ok}X-A: \xe9\x01\rb\r\nContent-Length: 5\r\n\r\nhello` },
  { text: 'HTTP/1.1 100 Continue\n\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello' },
  { text: `${ok}Content-Length: 5\r\n\r\nhello and more` },
  { text: `${ok}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\njunk` },
  { text: 'ICY 200 OK\r\nicy-name: Radio\r\n\r\nhello', closes: true },
  { text: 'HTTP 200 OK\n\nhello', closes: true },
  {
    text: `${ok}${Array.from({ length: 1500 }, (_, at) => `X-${at}: ${at}\r\n`).join('')}Content-Length: 5\r\n\r\nhello`,
  },
];

test('answers of old devices reach the visitor in the proper form, and their connections are not reused', async () => {
  await using device = await startOldDevice(hello);
  await using visitor = new Http2Client(device.t.relay.tlsPort, HOST, { maxHeaderListPairs: 4_000 });
  for (const [index, { text }] of hello.entries()) {
    expect(await visit(device.t.relay.httpPort, `/${index}`), text).toMatchObject({ status: 200, body: 'hello' });
    const streamed = await visitor.fetch({ ':path': `/${index}` });
    expect([streamed.status, streamed.body.toString()], text).toEqual([200, 'hello']);
  }
  const isProper = (path: string | undefined) => path === `/${hello.length - 1}`;
  for (const paths of device.connections) if (!isProper(paths[0])) expect(paths, hello[0]?.text).toHaveLength(1);
});

test('a body where none may be does not reach the visitor', async () => {
  const framing = 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nhello';
  const answers = ['204 No Content', '304 Not Modified', '200 OK'].map((line) => ({
    text: `HTTP/1.1 ${line}\r\n${framing}`,
  }));
  await using device = await startOldDevice(answers);
  const { httpPort } = device.t.relay;
  expect(await visit(httpPort, '/0')).toMatchObject({ status: 204, body: '' });
  expect(await visit(httpPort, '/1')).toMatchObject({ status: 304, body: '' });
  expect(await visit(httpPort, '/2', 'HEAD')).toMatchObject({ status: 200, body: '' });
  expect(device.connections).toHaveLength(3);
});

test.each([
  ['two lengths', `${ok}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`],
  ['a coding hidden behind a CR', `${ok}X-A: a\rTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`],
  ['no head', '<html>hello</html>'],
  ['chunks that are none', `${ok}Transfer-Encoding: chunked\r\n\r\nhello`],
])('what two readers would read differently gets a page: %s', async (_what, text) => {
  await using device = await startOldDevice([{ text }]);
  expect((await visit(device.t.relay.httpPort, '/0')).status).toBe(502);
});

test.each([
  ['no last chunk', `${ok}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`],
  ['chunks that break off in the last one', `${ok}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n`],
  ['a body shorter than its length', `${ok}Content-Length: 9\r\n\r\nhello`],
])('what came of an incomplete answer reaches the visitor, who sees that it is incomplete: %s', async (_what, text) => {
  await using device = await startOldDevice([{ text, closes: true }]);
  await using visitor = openRawClient(device.t.relay.httpPort);
  visitor.send(`GET /0 HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
  const got = await visitor.untilEnd();
  expect(got).toContain('hello');
  expect(got).not.toContain('0\r\n\r\n');
  // A reset could take back what the visitor has not read.
  expect(visitor.socket.errored).toBeNull();
});
