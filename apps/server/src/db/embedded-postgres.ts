import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { StartError } from '../start-error.ts';
import { preparePostgresBinaries } from './postgres-binaries.ts';
import { isErrno, prepareCluster, prepareSocketDir, waitUntilUnused } from './postgres-folder.ts';
import { chooseLauncher, type Launcher } from './postgres-launcher.ts';

const READY = 'database system is ready to accept connections';
const START_TIMEOUT_MS = 60_000;
const MAX_LOG_LINES = 20;

export type EmbeddedPostgres = AsyncDisposable & {
  /** For `pg`: a Unix socket in a folder that only this user can enter. */
  url: (database: string) => string;
  /** Settles when the server has ended, wanted or not. */
  exited: Promise<void>;
};

export type EmbeddedOptions = {
  dataDir: string;
  /** Extra `name=value` settings, e.g. `fsync=off` in tests. */
  settings?: readonly string[];
  /** What the server writes about itself, line by line. */
  onLine?: (line: string) => void;
};

/** Starts the PostgreSQL server of the installed packages on one folder. Throws StartError. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(path.resolve(options.dataDir), options);
  } catch (error) {
    for (const code of ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR', 'EEXIST']) {
      if (isErrno(error, code)) throw new StartError('data-dir.not-writable', options.dataDir, { cause: error });
    }
    if (error instanceof StartError) throw error;
    throw new StartError('database.not-started', lastWords(error), { cause: error });
  }
}

async function start(wantedDir: string, { settings = [], onLine }: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const native = await preparePostgresBinaries();
  const binDir = path.join(native, 'bin');
  await mkdir(path.dirname(wantedDir), { recursive: true });
  await mkdir(wantedDir, { recursive: true, mode: 0o700 });
  const dataDir = await realpath(wantedDir);
  const launcher = await chooseLauncher(binDir, dataDir);
  await prepareCluster(dataDir, binDir, launcher);
  await waitUntilUnused(dataDir);
  const socketDir = await prepareSocketDir(dataDir, launcher);
  const child = spawnServer({ binDir, dataDir, socketDir, launcher, settings });
  const exited = once(child, 'exit').then(() => undefined);
  await untilReady(child, dataDir, onLine);
  return {
    url: (database) => socketUrl(socketDir, database),
    exited,
    async [Symbol.asyncDispose]() {
      child.kill('SIGINT'); // "fast": open transactions are rolled back, then a checkpoint
      await exited;
      if (socketDir !== dataDir) await rm(socketDir, { recursive: true, force: true });
    },
  };
}

export function socketUrl(socketDir: string, database: string): string {
  return `postgres://app@${encodeURIComponent(socketDir)}/${database}`;
}

type ServerStart = {
  binDir: string;
  dataDir: string;
  socketDir: string;
  launcher: Launcher;
  settings: readonly string[];
};

function spawnServer(start: ServerStart): ChildProcess {
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${start.socketDir}`,
    'unix_socket_permissions=0700',
    'shared_buffers=32MB',
    'max_connections=60',
    'io_method=sync', // no worker processes for a database this small
    'jit=off',
    'log_min_messages=log', // errors of single statements are reported by whoever sent them
    ...start.settings,
  ];
  const words = [...start.launcher.prefix, path.join(start.binDir, 'postgres'), '-D', start.dataDir, '-p', '5432'];
  for (const setting of settings) words.push('-c', setting);
  return spawn(words[0]!, words.slice(1), {
    cwd: start.dataDir,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true, // Ctrl+C reaches the whole terminal group, and the database has to be the last to go
  });
}

async function untilReady(child: ChildProcess, dataDir: string, onLine: EmbeddedOptions['onLine']): Promise<void> {
  const lines: string[] = [];
  const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
  try {
    await new Promise<void>((resolve, reject) => {
      const reader = createInterface({ input: child.stderr! }); // spawned with a pipe
      reader.on('line', (line) => {
        if (lines.push(line) > MAX_LOG_LINES) lines.shift();
        if (line.includes(READY)) resolve();
        onLine?.(line);
      });
      child.once('error', reject);
      child.once('exit', () => {
        const text = lines.join('\n');
        // Another starter was quicker between our look at the pid file and PostgreSQL's own lock.
        const isTaken = text.includes('postmaster.pid" already exists') || text.includes('is already in use');
        reject(isTaken ? new StartError('data-dir.in-use', dataDir) : new Error(text || 'no output'));
      });
    });
  } finally {
    clearTimeout(timer);
  }
}

function lastWords(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split('\n').slice(-3).join(' ');
}
