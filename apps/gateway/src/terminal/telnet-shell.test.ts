import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { freePort } from '@tongtu/base/testing/free-port';
import { expect, test } from 'vitest';
import { type RawServer, startRawServer } from '../testing/start-raw-server.ts';
import { serveTelnet, telnetdProgram } from '../testing/start-telnetd.ts';
import { createTestSession, type TestSession } from '../testing/test-session.ts';
import { openTerminal } from './testing/open-terminal.ts';

const [IAC, DO, WONT, WILL, BINARY, ECHO, SGA, TIMING_MARK] = [255, 253, 252, 251, 0, 1, 3, 6];

function createSession({ port }: RawServer): TestSession {
  return createTestSession({ kind: 'telnet', port });
}

/** What a target receives, and what it says first. */
async function startTarget(greeting: Buffer): Promise<{ server: RawServer; received: () => Buffer }> {
  let received = Buffer.alloc(0);
  const server = await startRawServer((socket) => {
    socket.write(greeting);
    socket.on('data', (chunk) => (received = Buffer.concat([received, chunk])));
  });
  return { server, received: () => received };
}

test.skipIf(telnetdProgram === undefined)(
  'a telnetd (package inetutils-telnetd) has a shell that knows its size',
  async () => {
    await using server = await startRawServer(serveTelnet);
    await using terminal = await openTerminal(createSession(server));
    terminal.start();
    await terminal.next('connected');
    terminal.type('stty size; echo 通途$((1 + 1)) $TERM\r');
    await terminal.shows('24 80');
    await terminal.shows('通途2 xterm-256color');
    terminal.send({ type: 'resize', columns: 255, rows: 50 });
    terminal.type('stty size\r');
    await terminal.shows('50 255');
    terminal.type('exit\r');
    expect(await terminal.next('failed')).toEqual({ type: 'failed', reason: 'closed' });
    terminal.start();
    await terminal.next('connected');
  },
);

test('a target that only sends bytes is a terminal too', async () => {
  const { server, received } = await startTarget(Buffer.from('hello\r\n'));
  await using _ = server;
  await using terminal = await openTerminal(createSession(server));
  terminal.start();
  await terminal.next('connected');
  await terminal.shows('hello');
  terminal.type('ls\r');
  await expect.poll(() => received().toString()).toBe('ls\r\0');
  expect(terminal.output).toBe('hello\r\n');
});

test('a target that does not echo gets its echo here', async () => {
  const { server, received } = await startTarget(Buffer.from([IAC, WILL, SGA]));
  await using _ = server;
  await using terminal = await openTerminal(createSession(server));
  terminal.start();
  await terminal.next('connected');
  await expect.poll(() => [...received()]).toEqual([IAC, DO, SGA]);
  terminal.type('通途\r');
  await terminal.shows('通途\r\n');
});

test('text in any encoding passes as it is, in both directions: the page reads and writes it', async () => {
  const chinese = Buffer.from([0xcd, 0xa8, 0xcd, 0xbe]);
  const { server, received } = await startTarget(Buffer.concat([Buffer.from([IAC, WILL, ECHO]), chinese]));
  await using _ = server;
  await using terminal = await openTerminal(createSession(server));
  const shown: Buffer[] = [];
  terminal.socket.on('message', (data: Buffer, isBinary) => void (isBinary && shown.push(data)));
  terminal.start();
  await terminal.next('connected');
  await expect.poll(() => Buffer.concat(shown)).toEqual(chinese);
  terminal.socket.send(chinese);
  await expect.poll(() => received().toString('latin1')).toBe(`\xff\xfd\x01${chinese.toString('latin1')}`);
});

test('output waits until the browser has drawn what came before', async () => {
  await using server = await startRawServer((socket) => socket.end(Buffer.alloc(4_000_000, 'x')));
  const session = createSession(server);
  await using terminal = await openTerminal(session);
  terminal.isDrawing = false;
  terminal.start();
  await terminal.next('connected');
  await expect.poll(() => session.streams[0]?.isPaused()).toBe(true);
  expect(terminal.receivedBytes).toBeLessThan(700_000);
  terminal.isDrawing = true;
  terminal.send({ type: 'drawn', bytes: terminal.receivedBytes });
  expect(await terminal.next('failed')).toEqual({ type: 'failed', reason: 'closed' });
  expect(terminal.receivedBytes).toBe(4_000_000);
});

test('input waits until the target has taken what came before', async () => {
  const sockets: Socket[] = [];
  await using server = await startRawServer((socket) => sockets.push(socket.pause()));
  const session = createSession(server);
  await using terminal = await openTerminal(session);
  terminal.start();
  await terminal.next('connected');
  const pasted = terminal.paste(Buffer.alloc(16_000_000, 'x'));
  await expect.poll(() => session.streams[0]?.writableLength).toBeGreaterThan(50_000);
  expect(session.streams[0]?.writableLength).toBeLessThan(100_000);
  let received = 0;
  sockets[0]?.on('data', (chunk) => (received += chunk.length)).resume();
  await pasted;
  await expect.poll(() => received).toBe(16_000_000);
});

test('a browser that does not wait until its input is taken is cut', async () => {
  await using server = await startRawServer((socket) => void socket.pause());
  await using terminal = await openTerminal(createSession(server));
  terminal.start();
  await terminal.next('connected');
  for (let sent = 0; sent < 16; sent += 1) terminal.type('x'.repeat(1_000_000));
  expect(await terminal.closes()).toBe(1008);
});

const mark = Buffer.from([IAC, DO, TIMING_MARK]);
const markAnswer = Buffer.from([IAC, WONT, TIMING_MARK]);

/** Speaks Telnet, does not echo, and answers timing marks while the test wants it. */
async function startMarkedTarget() {
  const target = { isNegotiated: false, inputBytes: 0, unansweredMarks: 0, isAnswering: true, answer: (): void => {} };
  const server = await startRawServer((socket) => {
    socket.write(Buffer.from([IAC, WILL, SGA]));
    target.answer = () => {
      for (; target.unansweredMarks > 0; target.unansweredMarks -= 1) socket.write(markAnswer);
    };
    socket.once('data', () => {
      target.isNegotiated = true;
      socket.on('data', (chunk) => {
        // Marks are sent in writes of their own, but may arrive with others.
        const marks = chunk.filter((byte) => byte === IAC).length;
        target.inputBytes += chunk.length - marks * mark.length;
        target.unansweredMarks += marks;
        if (target.isAnswering) target.answer();
      });
    });
  });
  return { server, target };
}

test('long input waits for the answers to timing marks, and Ctrl+C does not wait behind megabytes', async () => {
  const { server, target } = await startMarkedTarget();
  await using _ = server;
  await using terminal = await openTerminal(createSession(server));
  terminal.start();
  await terminal.next('connected');
  await expect.poll(() => target.isNegotiated).toBe(true);
  void terminal.paste(Buffer.alloc(300_000, 'x'));
  await expect.poll(() => target.inputBytes).toBeGreaterThan(290_000);
  target.isAnswering = false;
  const before = target.inputBytes;
  void terminal.paste(Buffer.alloc(300_000, 'x'));
  await expect.poll(() => target.unansweredMarks).toBe(4);
  expect(target.inputBytes - before).toBeLessThan(50_000);
  target.isAnswering = true;
  target.answer();
  await expect.poll(() => target.inputBytes).toBe(600_000);
});

test('what is echoed here waits for the browser, and the input that causes it too', async () => {
  const { server, target } = await startMarkedTarget();
  await using _ = server;
  await using terminal = await openTerminal(createSession(server));
  terminal.start();
  await terminal.next('connected');
  await expect.poll(() => target.isNegotiated).toBe(true);
  terminal.isDrawing = false;
  const pasted = terminal.paste(Buffer.alloc(2_000_000, 'x'));
  await terminal.until(() => terminal.receivedBytes > 512 * 1024);
  expect(target.inputBytes).toBeLessThan(700_000);
  terminal.isDrawing = true;
  terminal.send({ type: 'drawn', bytes: terminal.receivedBytes });
  await pasted;
  await expect.poll(() => target.inputBytes).toBe(2_000_000);
});

test('a target that asks without end and does not read the answers is cut', async () => {
  await using server = await startRawServer((socket) => {
    socket.pause();
    socket.write(Buffer.alloc(30_000_000, Uint8Array.of(IAC, DO, ECHO)));
  });
  await using terminal = await openTerminal(createSession(server));
  terminal.start();
  await terminal.next('connected');
  expect(await terminal.next('failed')).toEqual({ type: 'failed', reason: 'protocol' });
});

test('the end of the session cuts the target at once and says why', async () => {
  const { server } = await startTarget(Buffer.from([IAC, DO, BINARY]));
  await using _ = server;
  const session = createSession(server);
  await using terminal = await openTerminal(session);
  terminal.start();
  await terminal.next('connected');
  session.end('idle');
  expect(session.streams.map((stream) => stream.destroyed)).toEqual([true]);
  expect(await terminal.next('failed')).toEqual({ type: 'failed', reason: 'idle' });
  expect(await terminal.closes()).toBe(1000);
});

test('the reason why there is no connection is passed on', async () => {
  await using terminal = await openTerminal(createTestSession({ kind: 'telnet', port: await freePort() }));
  terminal.start();
  expect(await terminal.next('failed')).toEqual({ type: 'failed', reason: 'refused' });
});

test('a stream that is never connected has timed out', async () => {
  const session = createTestSession({ kind: 'telnet', port: 1 }, () => new Duplex({ construct() {}, read() {} }));
  await using terminal = await openTerminal(session, { answerTimeoutMs: 100 });
  terminal.start();
  expect(await terminal.next('failed')).toEqual({ type: 'failed', reason: 'timed-out' });
});
