import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Http2Client } from '../testing/clients/http2-client.ts';
import { RawClient } from '../testing/clients/raw-client.ts';
import {
  createAgentKey,
  startLanService,
  startTestRelay,
  testDevice,
  type TestRelay,
} from '../testing/start-test-relay.ts';

const HOST = 'nas.localhost';
let stack: AsyncDisposableStack;
beforeEach(() => void (stack = new AsyncDisposableStack()));
afterEach(() => stack.disposeAsync());

/** A service that answers when the test says so, with the paths of its open requests, the oldest first. */
async function startGallery(limits: Parameters<typeof startTestRelay>[0]) {
  const open: Array<{ path: string; answer: () => void }> = [];
  const bodies: string[] = [];
  const lan = stack.use(
    await startLanService((request, response) => {
      const path = request.url ?? '';
      const answer = () => {
        open.splice(
          open.findIndex((entry) => entry.answer === answer),
          1,
        );
        response.end(`answer to ${path}`);
      };
      request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()));
      open.push({ path, answer });
      response.on('close', () => {
        const at = open.findIndex((entry) => entry.answer === answer);
        if (at >= 0) open.splice(at, 1);
      });
    }),
  );
  const t = stack.use(await startTestRelay(limits));
  const key = createAgentKey();
  const agent = await t.connectDevice(testDevice(key, { [HOST]: lan.port }), key);
  const paths = () => open.map(({ path }) => path);
  return { t, agent, open, paths, body: () => bodies.join('') };
}

function ask(t: TestRelay, path: string, { localAddress = '127.0.0.1', host = HOST } = {}): RawClient {
  const visitor = stack.use(new RawClient(connect({ port: t.relay.httpPort, host: '127.0.0.1', localAddress })));
  visitor.send(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  return visitor;
}

test('requests beyond the limit of their address wait, and all are served, over HTTP/1.1', async () => {
  const { t, open, paths } = await startGallery({ maxStreamsPerVisitor: 2 });
  const visitors = Array.from({ length: 8 }, (_, at) => ask(t, `/${at}`));
  await expect.poll(() => open.length).toBe(2);
  // Another address does not wait.
  const other = ask(t, '/other', { localAddress: '127.0.0.7' });
  await expect.poll(paths).toContain('/other');
  open.find(({ path }) => path === '/other')?.answer();
  expect(await other.untilEnd()).toMatch(/answer to \/other$/);

  for (let served = 0; served < 8; served++) {
    await expect.poll(() => open.length).toBe(Math.min(2, 8 - served));
    open[0]?.answer();
  }
  const answers = await Promise.all(visitors.map((visitor) => visitor.untilEnd()));
  expect(answers.map((text) => text.slice(0, 12))).toEqual(visitors.map(() => 'HTTP/1.1 200'));
});

test('of several connections of one address each gets its turn, however many requests another one has open', async () => {
  const { t, open, paths } = await startGallery({ maxStreamsPerVisitor: 1 });
  const [first, second] = [new Http2Client(t.relay.tlsPort, HOST), new Http2Client(t.relay.tlsPort, HOST)];
  stack.use(first);
  stack.use(second);
  const answers = [first.fetch('/first-0')];
  await expect.poll(paths).toEqual(['/first-0']);
  for (let at = 1; at < 5; at++) answers.push(first.fetch(`/first-${at}`));
  // Answered by the relay: everything before it has been read.
  expect((await first.fetch({ ':authority': 'nobody.localhost' })).status).toBe(404);
  answers.push(second.fetch('/second-0'), second.fetch('/second-1'));
  expect((await second.fetch({ ':authority': 'nobody.localhost' })).status).toBe(404);
  const order: string[] = [];
  for (let at = 0; at < 7; at++) {
    await expect.poll(() => open.length).toBe(1);
    order.push(open[0]?.path ?? '');
    open[0]?.answer();
  }
  expect(order.slice(0, 5)).toEqual(['/first-0', '/first-1', '/second-0', '/first-2', '/second-1']);
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200));
});

test('a visitor that leaves takes its waiting requests along, and its place goes to the next', async () => {
  const { t, agent, open, paths } = await startGallery({ maxStreamsPerVisitor: 1 });
  const first = ask(t, '/first');
  await expect.poll(paths).toEqual(['/first']);
  const leaving = stack.use(new Http2Client(t.relay.tlsPort, HOST));
  const streams = [1, 2, 3].map((at) => leaving.open({ ':path': `/leaving-${at}` }));
  expect((await leaving.fetch({ ':authority': 'nobody.localhost' })).status).toBe(404);
  const last = ask(t, '/last');
  for (const stream of streams) stream.close();
  expect((await leaving.fetch({ ':authority': 'nobody.localhost' })).status).toBe(404);
  first.socket.resetAndDestroy();
  await expect.poll(paths).toEqual(['/last']);
  open[0]?.answer();
  expect(await last.untilEnd()).toMatch(/answer to \/last$/);
  expect(agent.opened.length).toBe(2);
});

test('a body waits with its request, and arrives whole', async () => {
  const { t, open, paths, body } = await startGallery({ maxStreamsPerVisitor: 1 });
  ask(t, '/first');
  await expect.poll(paths).toEqual(['/first']);
  const uploading = stack.use(new Http2Client(t.relay.tlsPort, HOST));
  const stream = uploading.open({ ':path': '/upload', ':method': 'POST' }, { endStream: false });
  const piece = 'x'.repeat(100_000);
  stream.write(piece);
  stream.end('end');
  expect((await uploading.fetch({ ':authority': 'nobody.localhost' })).status).toBe(404);
  expect(paths()).toEqual(['/first']);
  open[0]?.answer();
  await expect.poll(body).toBe(`${piece}end`);
});

test('more requests than may wait get 429, and so does one whose turn does not come', async () => {
  const { t, open } = await startGallery({ maxStreamsPerVisitor: 1, maxWaitingPerVisitor: 3, turnWaitMs: 200 });
  ask(t, '/first');
  await expect.poll(() => open.length).toBe(1);
  // A body that waits is kept, so it counts for more than three.
  const uploading = stack.use(new Http2Client(t.relay.tlsPort, HOST));
  expect((await uploading.fetch({ ':path': '/upload', ':method': 'POST' }, 'body')).status).toBe(429);
  const visitors = Array.from({ length: 5 }, (_, at) => ask(t, `/${at}`));
  const answers = await Promise.all(visitors.map((visitor) => visitor.untilEnd()));
  expect(answers.map((text) => text.slice(0, 12))).toEqual(visitors.map(() => 'HTTP/1.1 429'));
  expect(open.length).toBe(1);
});

test('a device that is disconnected ends the waiting requests, too', async () => {
  const { t, agent, open } = await startGallery({ maxStreamsPerVisitor: 1 });
  ask(t, '/first');
  await expect.poll(() => open.length).toBe(1);
  const waiting = stack.use(new Http2Client(t.relay.tlsPort, HOST));
  const answer = waiting.fetch('/second');
  expect((await waiting.fetch({ ':authority': 'nobody.localhost' })).status).toBe(404);
  agent.kill();
  expect((await answer).status).toBeGreaterThanOrEqual(502);
});

test('requests to the console wait in the same way', async () => {
  const t = stack.use(await startTestRelay({ maxStreamsPerVisitor: 2 }));
  const open: Array<() => void> = [];
  t.server.handlers.page = (_request, response) => void open.push(() => response.end('console'));
  const visitors = Array.from({ length: 6 }, (_, at) => ask(t, `/${at}`, { host: 'localhost' }));
  for (let served = 0; served < 6; served++) {
    await expect.poll(() => open.length).toBe(Math.min(2, 6 - served));
    open.shift()?.();
  }
  const answers = await Promise.all(visitors.map((visitor) => visitor.untilEnd()));
  expect(answers.every((text) => /^HTTP\/1\.1 200 [^]*console$/.test(text))).toBe(true);
});
