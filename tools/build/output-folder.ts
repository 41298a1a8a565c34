import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Says which sources a finished output was made from. */
const HASH_FILE = '.source-hash';

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
 * leaves the last good one. Of two builders at once, the later one wins; both made the same.
 */
export async function replaceOutput(folder: string, hash: string, make: (draft: string) => Promise<void>): Promise<void> {
  const suffix = randomBytes(4).toString('hex');
  const draft = `${folder}.${suffix}`;
  const aside = `${folder}.${suffix}.old`;
  try {
    await mkdir(draft, { recursive: true });
    await make(draft);
    await writeFile(path.join(draft, HASH_FILE), `${hash}\n`);
    await swap(draft, folder, aside, hash);
  } finally {
    await rm(draft, { recursive: true, force: true });
    await rm(aside, { recursive: true, force: true });
  }
}

async function swap(draft: string, folder: string, aside: string, hash: string): Promise<void> {
  await rename(folder, aside).catch(ignore('ENOENT'));
  try {
    await rename(draft, folder);
  } catch (error) {
    // Another builder was in between; its output is as good as ours when it comes from the same sources.
    if ((await readOutputHash(folder)) !== hash) throw error;
  }
}

function ignore(code: string): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (error.code !== code) throw error;
  };
}

/** True when the place cannot be written at all, as in an image or a package that somebody else installed. */
export function isReadOnlyError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EROFS' || code === 'EACCES' || code === 'EPERM';
}
