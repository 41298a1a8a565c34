import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startWatchdog, takeWatchdog } from './systemd-watchdog.ts';

const hasPrograms = ['systemd-notify', 'perl'].every(canRun);
const whyNot = hasPrograms ? '' : ' (skipped: needs systemd-notify and perl)';

function canRun(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false; // not installed
  }
}

/** Listens like systemd; in Perl, because Node.js has no Unix datagram sockets. */
const NOTIFY_SOCKET = `
  use Socket; $| = 1;
  socket(my $socket, PF_UNIX, SOCK_DGRAM, 0) or die $!;
  bind($socket, sockaddr_un($ARGV[0])) or die $!;
  print "bound\\n";
  while (defined(recv($socket, my $message, 4096, 0))) { print "$message\\n" }`;

async function openNotifySocket(): Promise<{ socket: string; received: () => string }> {
  const socket = path.join(await mkdtemp(path.join(tmpdir(), 'notify-')), 's');
  const program = spawn('perl', ['-e', NOTIFY_SOCKET, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    program.kill();
    await once(program, 'exit');
  });
  let output = '';
  program.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await vi.waitUntil(() => output.includes('bound'), { timeout: 30_000 });
  return { socket, received: () => output };
}

test.runIf(hasPrograms)(`systemd is notified repeatedly that the event loop runs${whyNot}`, async () => {
  const { socket, received } = await openNotifySocket();
  const watchdog = takeWatchdog({ NOTIFY_SOCKET: socket, WATCHDOG_USEC: '300000', PATH: process.env['PATH'] });
  using _watchdog = startWatchdog(watchdog!, pino({ level: 'silent' }));
  await vi.waitUntil(() => (received().match(/WATCHDOG=1/g)?.length ?? 0) >= 3, { timeout: 30_000 });
});

test('a missing systemd-notify is only logged', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  using _watchdog = startWatchdog({ socket: '/nonexistent', searchPath: '/nonexistent', limitMs: 60 }, log);
  await vi.waitUntil(() => lines.length >= 2, { timeout: 30_000 });
  expect(lines[0]).toContain('systemd was not notified');
});

test('the variables of systemd are not passed on to child processes', () => {
  const env = { NOTIFY_SOCKET: '/run/n', WATCHDOG_USEC: '60000000', WATCHDOG_PID: '1', PATH: '/bin' };
  expect(takeWatchdog(env)).toEqual({ socket: '/run/n', searchPath: '/bin', limitMs: 60_000 });
  expect(env).toEqual({ PATH: '/bin' });
});

test.each([
  ['nothing', {}],
  ['a socket without a limit', { NOTIFY_SOCKET: '/run/n' }],
  ['a limit without a socket', { WATCHDOG_USEC: '1000000' }],
  ['no limit', { NOTIFY_SOCKET: '/run/n', WATCHDOG_USEC: '0' }],
])('%s is no watchdog', (_, env) => {
  expect(takeWatchdog(env)).toBeUndefined();
});
