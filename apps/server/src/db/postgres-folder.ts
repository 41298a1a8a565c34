import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chown, lstat, mkdir, readdir, readFile, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StartError } from '../start-error.ts';
import type { Launcher } from './postgres-launcher.ts';

const run = promisify(execFile);
const MAX_SOCKET_DIR_BYTES = 90; // sun_path holds 107 bytes with the file's name
const ORPHAN_EXIT_MS = 3_000; // what pdeathsig needs to end a server whose parent was killed
const SHUTDOWN_MS = 30_000;
const POLL_MS = 50;

/** Makes the data folder a database cluster if it is not one yet. A kill at any moment leaves either none or a whole one. */
export async function prepareCluster(dataDir: string, binDir: string, launcher: Launcher): Promise<void> {
  const version = await readFileIfPresent(path.join(dataDir, 'PG_VERSION'));
  if (version === undefined) {
    await createCluster(dataDir, binDir, launcher);
  } else if (version.trim() !== '18') {
    throw new StartError('data-dir.other-version', `${dataDir}（PostgreSQL ${version.trim()}）`);
  }
  const { uid } = await stat(dataDir);
  if (launcher.ownerUid !== undefined && uid !== launcher.ownerUid) {
    await run('chown', ['-R', `${launcher.ownerUid}:${launcher.ownerUid}`, dataDir]);
  }
}

async function createCluster(dataDir: string, binDir: string, launcher: Launcher): Promise<void> {
  if ((await readdir(dataDir)).length > 0) throw new StartError('data-dir.foreign', dataDir);
  await removeHalfMade(dataDir);
  const side = `${dataDir}.init-${randomBytes(4).toString('hex')}`;
  await mkdir(side, { mode: 0o700 });
  try {
    if (launcher.ownerUid !== undefined) await chown(side, launcher.ownerUid, launcher.ownerUid);
    const words = [
      ...launcher.prefix,
      path.join(binDir, 'initdb'),
      ...['-D', side, '-U', 'app', '-A', 'trust', '-E', 'UTF8', '--no-instructions'],
      // C.UTF-8 is inside PostgreSQL: lower() knows every letter and no system locale is needed.
      ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ];
    await run(words[0]!, words.slice(1)); // the list is never empty
    await rename(side, dataDir); // replaces an empty folder only: of two starters one wins, the other fails here
  } catch (error) {
    await rm(side, { recursive: true, force: true });
    const isTaken = isErrno(error, 'ENOTEMPTY') || isErrno(error, 'EEXIST');
    if (!isTaken) throw error;
  }
}

/** Side folders of starts that were killed during initdb. */
async function removeHalfMade(dataDir: string): Promise<void> {
  const parent = path.dirname(dataDir);
  const prefix = `${path.basename(dataDir)}.init-`;
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    const { mtimeMs } = await stat(path.join(parent, name));
    // A younger one may belong to another starter that is running now.
    if (Date.now() - mtimeMs > 10 * 60_000) await rm(path.join(parent, name), { recursive: true, force: true });
  }
}

/** Where the socket goes: the data folder, which is closed to others, or a private folder with a short name. */
export async function prepareSocketDir(dataDir: string, launcher: Launcher): Promise<string> {
  if (Buffer.byteLength(dataDir) <= MAX_SOCKET_DIR_BYTES) return dataDir;
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const socketDir = path.join(tmpdir(), `tongtu-pg-${hash}`);
  await mkdir(socketDir, { recursive: true, mode: 0o700 });
  const made = await lstat(socketDir);
  // The temporary folder belongs to everybody: somebody else may have put this name there before us.
  const isOurs =
    made.isDirectory() && (made.mode & 0o077) === 0 && [process.getuid?.(), launcher.ownerUid].includes(made.uid);
  if (!isOurs) throw new StartError('data-dir.not-writable', socketDir);
  if (launcher.ownerUid !== undefined) await chown(socketDir, launcher.ownerUid, launcher.ownerUid);
  return socketDir;
}

/** Waits for a server that is on its way out; throws when the folder has a living holder. */
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

/** The folder with the socket of the server that runs on a data folder; undefined while none does. */
export async function findRunningServer(wantedDir: string): Promise<string | undefined> {
  const dataDir = await realpath(wantedDir).catch(() => undefined); // there is none before the first start
  const lines = dataDir && (await readFileIfPresent(path.join(dataDir, 'postmaster.pid')))?.split('\n');
  if (!dataDir || !lines || !(await isServerOf(Number(lines[0]), dataDir))) return undefined;
  return lines[4]?.trim() || undefined; // PostgreSQL's own lock file: its fifth line names the folder
}

/** False for a dead process, and for a living one that only has the number of a server from before a reboot. */
async function isServerOf(pid: number, dataDir: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || (await readlink(`/proc/${pid}/cwd`)) === dataDir;
  } catch {
    return false; // dead, or somebody else's: PostgreSQL's own lock has the last word
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
