import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

// `dist.…` are drafts of builds that run or were killed.
const SKIPPED_FOLDER = /^(node_modules|testing|dist(\..*)?)$/;
const TEST_FILE = /\.test\.tsx?$/;

/** SHA-256 over names and contents of everything below the given files and folders that could change a build. */
export function hashSources(root: string, sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of sources.flatMap((source) => listFiles(root, source))) {
    const content = readFileSync(path.join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function listFiles(root: string, source: string): string[] {
  const entries = readFolder(path.join(root, source));
  if (entries === undefined) return [source];
  return entries
    .filter((entry) => !entry.name.startsWith('.') && !SKIPPED_FOLDER.test(entry.name) && !TEST_FILE.test(entry.name))
    .map((entry) => path.posix.join(source, entry.name))
    .toSorted()
    .flatMap((name) => listFiles(root, name));
}

function readFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined; // a file
    throw error;
  }
}
