import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Contains the hash of the sources of a finished output. */
const HASH_FILE = '.source-hash';
const MAX_SWAP_TRIES = 20;
const ABANDONED_AFTER_MS = 600_000;

/** The hash of the sources that this output was made from; undefined when there is none. */
export async function readOutputHash(folder: string): Promise<string | undefined> {
  try {
    return (await readFile(path.join(folder, HASH_FILE), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Builds an output in a draft folder and then renames it, so that nobody sees a partial output and a failed build
 * leaves the last good one. Of several concurrent builds one result is kept: all are equal.
 */
export async function replaceOutput(
  folder: string,
  hash: string,
  make: (draft: string) => Promise<void>,
): Promise<void> {
  await removeAbandoned(folder);
  const draft = `${folder}.${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(draft, { recursive: true });
    await make(draft);
    await writeFile(path.join(draft, HASH_FILE), `${hash}\n`);
    for (let tries = 0; tries < MAX_SWAP_TRIES; tries++) {
      if ((await readOutputHash(folder)) === hash) return; // another builder was faster
      if (await swap(draft, folder)) return;
    }
    throw new Error(`${folder} is being replaced by others all the time`);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Removes drafts of killed builds. Recent ones may belong to a running build. */
async function removeAbandoned(folder: string): Promise<void> {
  const parent = path.dirname(folder);
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((sibling) => sibling.startsWith(`${path.basename(folder)}.`))) {
    const draft = path.join(parent, name);
    const found = await stat(draft).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS) await rm(draft, { recursive: true, force: true });
  }
}

/** A folder cannot be renamed onto another, so the old one is moved first. False when another process interfered. */
async function swap(draft: string, folder: string): Promise<boolean> {
  const aside = `${draft}.${randomBytes(4).toString('hex')}.old`;
  try {
    await isDone(rename(folder, aside), 'ENOENT');
    return await isDone(rename(draft, folder), 'ENOTEMPTY', 'EEXIST');
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function isDone(task: Promise<void>, ...harmless: string[]): Promise<boolean> {
  try {
    await task;
    return true;
  } catch (error) {
    if (harmless.includes((error as NodeJS.ErrnoException).code ?? '')) return false; // fs rejects with ErrnoException
    throw error;
  }
}

/** True when the folder is read-only, as in a container image or a package installed by another user. */
export function isReadOnlyError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EROFS' || code === 'EACCES' || code === 'EPERM';
}
