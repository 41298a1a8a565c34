import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a folder and its parents where they are missing, each with this mode. Rejects with the system's error.
 * Not Node's recursive mkdir: that tries for ever where the system says ENOENT although the parent exists, as in /proc.
 */
export async function makeFolder(folder: string, mode: number): Promise<void> {
  try {
    await mkdirIfMissing(folder, mode);
  } catch (error) {
    const parent = path.dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error; // fs rejects with ErrnoException
    await makeFolder(parent, mode);
    await mkdirIfMissing(folder, mode);
  }
}

async function mkdirIfMissing(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    // Of an existing folder some systems say EACCES, EPERM or EROFS rather than EEXIST.
    if (!(await isFolder(folder))) throw error;
  }
}

async function isFolder(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isDirectory();
  } catch {
    return false; // the caller has the error that matters
  }
}
