import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Says which sources a finished output was made from. */
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
 * Makes an output beside its final place and puts it there whole, so that nobody sees half of one and a failed build
 * leaves the last good one. Of several builders at once one is enough: all made the same.
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

/** Drafts of builds that were killed. Those that were begun lately may still be worked on. */
async function removeAbandoned(folder: string): Promise<void> {
  const parent = path.dirname(folder);
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((sibling) => sibling.startsWith(`${path.basename(folder)}.`))) {
    const draft = path.join(parent, name);
    const found = await stat(draft).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS) await rm(draft, { recursive: true, force: true });
  }
}

/** A folder cannot be renamed onto another: the old one steps aside first. False when somebody else was in between. */
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

/** True when the place cannot be written at all, as in an image or a package that somebody else installed. */
export function isReadOnlyError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EROFS' || code === 'EACCES' || code === 'EPERM';
}
