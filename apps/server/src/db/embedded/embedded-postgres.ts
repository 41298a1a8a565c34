import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { programEnvironment } from '@tongtu/base';
import { StartError } from '../../start-error.ts';
import { preparePostgresBinaries } from './postgres-binaries.ts';
import { isErrno, prepareCluster, prepareSocketDir, waitUntilUnused } from './postgres-folder.ts';
import { chooseLauncher, type Launcher } from './postgres-launcher.ts';

const READY = 'database system is ready to accept connections';
const START_TIMEOUT_MS = 60_000;
const MAX_LOG_LINES = 20;

export type EmbeddedPostgres = AsyncDisposable & {
  /** Connection URL for `pg`: a Unix socket in a folder that only this user can enter. */
  url: (database: string) => string;
  /** Resolves when the server has ended, for any reason. */
  exited: Promise<void>;
};

export type EmbeddedOptions = {
  dataDir: string;
  /** Extra `name=value` settings, e.g. `fsync=off` in tests. */
  settings?: readonly string[];
  /** Called with each line of the server's log. */
  onLine?: (line: string) => void;
};

/** Starts the PostgreSQL server of the installed package on one folder. Throws StartError. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(path.resolve(options.dataDir), options);
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (isDiskFull(error)) throw new StartError('data-dir.full', options.dataDir, { cause: error });
    for (const code of ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']) {
      if (isErrno(error, code)) throw new StartError('data-dir.not-writable', options.dataDir, { cause: error });
    }
    throw new StartError('database.not-started', errorLine(error), { cause: error });
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
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    // Without a process there is no `exit` event.
    child.once('error', () => child.pid === undefined && resolve());
  });
  await waitUntilReady(child, dataDir, onLine);
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
    'log_min_messages=log', // errors of single statements are reported by the client that sent them
    ...start.settings,
  ];
  const command = [...start.launcher.prefix, path.join(start.binDir, 'postgres'), '-D', start.dataDir, '-p', '5432'];
  for (const setting of settings) command.push('-c', setting);
  return spawn(command[0]!, command.slice(1), {
    cwd: start.dataDir,
    env: programEnvironment(process.env),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true, // Ctrl+C signals the whole process group, and the database must end last
  });
}

async function waitUntilReady(child: ChildProcess, dataDir: string, onLine: EmbeddedOptions['onLine']): Promise<void> {
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
        // Another server may have started after waitUntilUnused read the pid file. PostgreSQL's own lock detects it.
        const isTaken = text.includes('postmaster.pid" already exists') || text.includes('is already in use');
        reject(isTaken ? new StartError('data-dir.in-use', dataDir) : new Error(text || 'no output'));
      });
    });
  } finally {
    clearTimeout(timer);
  }
}

/** Own file calls fail with a code. initdb and the server print the system's message, or that a write was short. */
function isDiskFull(error: unknown): boolean {
  if (isErrno(error, 'ENOSPC') || isErrno(error, 'EDQUOT')) return true;
  return (
    error instanceof Error && /No space left on device|Disk quota exceeded|Check free disk space/.test(error.message)
  );
}

/** The line with the fatal error, or the last three lines if there is none. */
function errorLine(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).trim().split('\n');
  const fatal = lines.find((line) => /\b(FATAL|PANIC): /.test(line));
  return fatal ?? lines.slice(-3).join(' ');
}
