import type { ServerChannel } from 'ssh2';
import { expect, test } from 'vitest';
import { startSshServer } from '../testing/start-ssh-server.ts';
import { createTestSession, type TestSession } from '../testing/test-session.ts';
import { openTerminal, type TestTerminal } from './testing/open-terminal.ts';

/** A server whose shells are those that the test speaks for. */
async function startShells() {
  const shells: ServerChannel[] = [];
  const received: Buffer[] = [];
  const server = await startSshServer({
    onShell: (channel) => {
      shells.push(channel);
      channel.on('data', (bytes: Buffer) => void received.push(bytes));
    },
  });
  const { port, fingerprint } = server;
  const session = createTestSession({ port, hostKey: fingerprint, options: { username: 'root' } });
  return { server, session, shells, received: () => Buffer.concat(received).toString() };
}

async function openShell(session: TestSession): Promise<TestTerminal> {
  const terminal = await openTerminal(session);
  terminal.start();
  await terminal.next('connected');
  return terminal;
}

async function leave(terminal: TestTerminal): Promise<void> {
  terminal.socket.terminate();
  await terminal.closes();
}

async function comeBack(session: TestSession) {
  const terminal = await openTerminal(session);
  terminal.start();
  return { terminal, resumed: await terminal.next('resumed') };
}

test('a page that comes back gets the same shell with its screen, and what was said meanwhile', async () => {
  const { server, session, shells, received } = await startShells();
  await using _ = server;
  const first = await openShell(session);
  shells[0]?.write('$ make\r\n');
  await first.shows('$ make');
  first.send({ type: 'resize', columns: 100, rows: 30 });
  await leave(first);
  expect(session.streams.map((stream) => stream.destroyed)).toEqual([false]);
  shells[0]?.write('完成\r\n');

  const { terminal, resumed } = await comeBack(session);
  await using again = terminal;
  expect(resumed).toMatchObject({ type: 'resumed', columns: 100, rows: 30 });
  await again.shows('$ make\r\n完成\r\n');
  again.type('ls\r');
  await expect.poll(received).toBe('ls\r');
  shells[0]?.write('file');
  await again.shows('file');
  expect(shells).toHaveLength(1);
});

test('a page that was full, or in the middle of a paste, holds nothing back for the next one', async () => {
  const { server, session, shells, received } = await startShells();
  await using _ = server;
  const first = await openShell(session);
  first.isDrawing = false;
  shells[0]?.write(Buffer.alloc(2_000_000, 'x'));
  await first.until(() => first.receivedBytes > 500_000);
  first.socket.send(Buffer.alloc(60_000, 'p'));
  await leave(first);

  const { terminal, resumed } = await comeBack(session);
  await using again = terminal;
  expect(resumed.bytes).toBeLessThanOrEqual(256 * 1024);
  shells[0]?.write('the end');
  await again.shows('the end');
  await again.paste(Buffer.alloc(200_000, 'q'));
  await expect.poll(() => received().length).toBe(260_000);
});

test('another page takes the shell over, and the former one says so', async () => {
  const { server, session, shells } = await startShells();
  await using _ = server;
  await using first = await openShell(session);
  const { terminal } = await comeBack(session);
  await using second = terminal;
  expect(await first.next('failed')).toEqual({ type: 'failed', reason: 'taken-over' });
  expect(await first.closes()).toBe(1000);
  shells[0]?.write('here');
  await second.shows('here');
  expect(session.streams).toHaveLength(1);
});

test('a shell that ends while no page shows it ends its session', async () => {
  const { server, session, shells } = await startShells();
  await using _ = server;
  await leave(await openShell(session));
  shells[0]?.exit(0);
  shells[0]?.end();
  await expect.poll(() => session.signal.aborted).toBe(true);
  expect(session.signal.reason).toMatchObject({ code: 'closed' });
});

test('the end of the session ends a shell that no page shows', async () => {
  const { server, session } = await startShells();
  await using _ = server;
  await leave(await openShell(session));
  session.end('right-ended');
  await expect.poll(() => session.streams.map((stream) => stream.destroyed)).toEqual([true]);
});

test('a program that fills the screen draws it anew where its output is longer than what is kept', async () => {
  const sizes: number[] = [];
  const shells: ServerChannel[] = [];
  await using server = await startSshServer({
    onShell: (channel) => shells.push(channel),
    onResize: ({ rows }) => sizes.push(rows),
  });
  const session = createTestSession({ port: server.port, hostKey: server.fingerprint, options: { username: 'root' } });
  const first = await openShell(session);
  shells[0]?.write('\x1b[?1049h\x1b[?25l');
  for (let count = 0; count < 400; count++) shells[0]?.write('y'.repeat(1_000));
  await first.until(() => first.receivedBytes >= 400_000);
  await leave(first);
  const { terminal } = await comeBack(session);
  await using again = terminal;
  await again.shows('\x1b[?1049h\x1b[?25l');
  await expect.poll(() => sizes).toEqual([23, 24]);
});
