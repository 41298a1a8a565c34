import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chown, lstat, mkdir, readdir, readFile, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { programEnvironment } from '@tongtu/base';
import { StartError } from '../../start-error.ts';
import type { Launcher } from './postgres-launcher.ts';

const run = promisify(execFile);
const MAX_SOCKET_DIR_BYTES = 90; // sun_path holds 107 bytes with the file's name
const ORPHAN_EXIT_MS = 3_000; // what pdeathsig needs to end a server whose parent was killed
const SHUTDOWN_MS = 30_000;
const POLL_MS = 50;

/** Creates a database cluster in the data folder if there is none. A kill at any moment leaves none or a complete one. */
export async function prepareCluster(dataDir: string, binDir: string, launcher: Launcher): Promise<void> {
  const version = await readFileIfPresent(path.join(dataDir, 'PG_VERSION'));
  if (version === undefined) {
    await createCluster(dataDir, binDir, launcher);
  } else if (version.trim() !== '18') {
    throw new StartError('data-dir.other-version', `${dataDir}（PostgreSQL ${version.trim()}）`);
  }
  const { uid } = await stat(dataDir);
  if (launcher.ownerUid !== undefined && uid !== launcher.ownerUid) {
    await run('chown', ['-R', `${launcher.ownerUid}:${launcher.ownerUid}`, dataDir], {
      env: programEnvironment(process.env),
    });
  }
}

async function createCluster(dataDir: string, binDir: string, launcher: Launcher): Promise<void> {
  if ((await readdir(dataDir)).length > 0) throw new StartError('data-dir.foreign', dataDir);
  await removeInterrupted(dataDir);
  const temporaryDir = `${dataDir}.init-${randomBytes(4).toString('hex')}`;
  await mkdir(temporaryDir, { mode: 0o700 });
  try {
    if (launcher.ownerUid !== undefined) await chown(temporaryDir, launcher.ownerUid, launcher.ownerUid);
    const command = [
      ...launcher.prefix,
      path.join(binDir, 'initdb'),
      ...['-D', temporaryDir, '-U', 'app', '-A', 'trust', '-E', 'UTF8', '--no-instructions'],
      // C.UTF-8 is inside PostgreSQL: lower() knows every letter and no system locale is needed.
      ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ];
    await run(command[0]!, command.slice(1), { env: programEnvironment(process.env) }); // the list is never empty
    await rename(temporaryDir, dataDir); // replaces only an empty folder: of two starts one succeeds, the other fails here
  } catch (error) {
    await rm(temporaryDir, { recursive: true, force: true });
    const isTaken = isErrno(error, 'ENOTEMPTY') || isErrno(error, 'EEXIST');
    if (!isTaken) throw error;
  }
}

/** Removes temporary folders of starts that were killed during initdb. */
async function removeInterrupted(dataDir: string): Promise<void> {
  const parent = path.dirname(dataDir);
  const prefix = `${path.basename(dataDir)}.init-`;
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    const { mtimeMs } = await stat(path.join(parent, name));
    // A younger folder may belong to a start that is still running.
    if (Date.now() - mtimeMs > 10 * 60_000) await rm(path.join(parent, name), { recursive: true, force: true });
  }
}

/** Returns the folder for the socket: the data folder, or a private folder if that path is too long for a socket. */
export async function prepareSocketDir(dataDir: string, launcher: Launcher): Promise<string> {
  if (Buffer.byteLength(dataDir) <= MAX_SOCKET_DIR_BYTES) return dataDir;
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const socketDir = path.join(tmpdir(), `tongtu-pg-${hash}`);
  await mkdir(socketDir, { recursive: true, mode: 0o700 });
  const found = await lstat(socketDir);
  // Every user can write to the temporary folder: another user may have created this name before.
  const isOurs =
    found.isDirectory() && (found.mode & 0o077) === 0 && [process.getuid?.(), launcher.ownerUid].includes(found.uid);
  if (!isOurs) throw new StartError('data-dir.not-writable', socketDir);
  if (launcher.ownerUid !== undefined) await chown(socketDir, launcher.ownerUid, launcher.ownerUid);
  return socketDir;
}

/** Waits for a server that is stopping. Throws StartError if a server keeps running on the folder. */
export async function waitUntilUnused(dataDir: string): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    const lines = (await readFileIfPresent(path.join(dataDir, 'postmaster.pid')))?.split('\n');
    const pid = Number(lines?.[0]);
    if (!lines || !Number.isInteger(pid) || pid <= 0 || !(await isServerOf(pid, dataDir))) return;
    const limitMs = lines[7]?.trim() === 'stopping' ? SHUTDOWN_MS : ORPHAN_EXIT_MS;
    if (performance.now() - startedAt > limitMs) throw new StartError('data-dir.in-use', `${dataDir}（进程 ${pid}）`);
    await delay(POLL_MS);
  }
}

/** Returns the socket folder of the server that runs on a data folder, or undefined if none runs. */
export async function findRunningServer(wantedDir: string): Promise<string | undefined> {
  const dataDir = await realpath(wantedDir).catch(() => undefined); // does not exist before the first start
  const lines = dataDir && (await readFileIfPresent(path.join(dataDir, 'postmaster.pid')))?.split('\n');
  if (!dataDir || !lines || !(await isServerOf(Number(lines[0]), dataDir))) return undefined;
  return lines[4]?.trim() || undefined; // PostgreSQL's own lock file: its fifth line names the folder
}

/** False for an ended process, and for another process that got the same pid after a reboot. */
async function isServerOf(pid: number, dataDir: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || (await readlink(`/proc/${pid}/cwd`)) === dataDir;
  } catch {
    return false; // ended, or of another user: PostgreSQL's own lock decides
  }
}

async function readFileIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

export function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
