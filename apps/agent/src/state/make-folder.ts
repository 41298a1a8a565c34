import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Creates a folder and its missing parents, each with this mode. Rejects with the system's error. Node's recursive
 * mkdir would never return where the system says ENOENT although the parent exists, as in /proc.
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
    // For an existing folder some systems report EACCES, EPERM or EROFS instead of EEXIST.
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
