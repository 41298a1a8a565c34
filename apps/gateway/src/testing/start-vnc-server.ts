import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { freePort } from '@tongtu/base/testing/free-port';

/** Where Debian's tigervnc-standalone-server, tigervnc-tools and xterm put them. */
const VNC_SERVER = '/usr/bin/Xtigervnc';
const VNC_PASSWORD = '/usr/bin/tigervncpasswd';
const TERMINAL = '/usr/bin/xterm';

export const hasVncServer = existsSync(VNC_SERVER) && existsSync(VNC_PASSWORD);
export const hasVncTerminal = hasVncServer && existsSync(TERMINAL);

export type VncServer = AsyncDisposable & {
  port: number;
  /** The number of its X display. */
  display: string;
  /** What has been typed on the desktop, line by line: a terminal fills it. */
  typed: () => string;
};

type VncServerOptions = {
  password?: string | Buffer;
  /** A terminal on the left of the desktop (package xterm), and on its right the square of `VNC_SQUARE`. */
  hasTerminal?: boolean;
};

/** A point of the square that takes on another colour after each click. */
export const VNC_SQUARE = { x: 700, y: 500 };

/** A real desktop of 800 × 600. */
export async function startVncServer({ password, hasTerminal = false }: VncServerOptions = {}): Promise<VncServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'vnc-'));
  const port = await freePort();
  const server = spawn(
    VNC_SERVER,
    ['-displayfd', '3', '-rfbport', String(port), '-localhost', '-geometry', '800x600', ...login(folder, password)],
    { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] },
  );
  let log = '';
  server.stderr?.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4_000)));
  const ended = once(server, 'exit');
  const display = await Promise.race([
    firstLine(server.stdio[3] as Readable), // the fourth is a pipe, see above
    ended.then(() => Promise.reject(new Error(`the VNC server has ended: ${log}`))),
  ]);
  const typedFile = path.join(folder, 'typed');
  writeFileSync(typedFile, '');
  const programs = hasTerminal ? [startTerminal(display, typedFile), startSquare(display)] : [];
  return {
    port,
    display,
    typed: () => readFileSync(typedFile, 'utf8'),
    async [Symbol.asyncDispose]() {
      for (const program of programs) program.kill();
      server.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

function login(folder: string, password: string | Buffer | undefined): string[] {
  if (password === undefined) return ['-SecurityTypes', 'None'];
  const file = path.join(folder, 'password');
  writeFileSync(file, execFileSync(VNC_PASSWORD, ['-f'], { input: password }));
  // Without it a few wrong passwords close the server for everybody.
  return ['-SecurityTypes', 'VncAuth', '-PasswordFile', file, '-BlacklistThreshold', '1000'];
}

async function firstLine(stream: Readable): Promise<string> {
  for await (const line of createInterface(stream)) return line;
  return await new Promise<never>(() => {}); // the end of the server says more
}

function startTerminal(display: string, typedFile: string) {
  return startXterm(display, '100x46+0+0', `cat >> '${typedFile}'`);
}

/** It asks for reports of clicks, of six bytes each, and takes on the next colour after each. */
function startSquare(display: string) {
  const paint = String.raw`printf '\033[4%dm\033[2J' $colour`;
  const loop = `while [ "$(head -c 6 | wc -c)" = 6 ]; do colour=$((3 - \${colour:-2})); ${paint}; done`;
  return startXterm(display, '20x10+640+440', String.raw`stty raw -echo; printf '\033[?9h'; ` + loop);
}

function startXterm(display: string, geometry: string, script: string) {
  return spawn(TERMINAL, ['-u8', '-geometry', geometry, '-e', 'sh', '-c', script], {
    env: { ...process.env, DISPLAY: `:${display}`, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' },
    stdio: 'ignore',
  });
}
