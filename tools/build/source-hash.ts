import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
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

/** `source` is a file or a folder. */
function listFiles(root: string, source: string): string[] {
  return statSync(path.join(root, source)).isDirectory() ? filesBelow(root, source) : [source];
}

function filesBelow(root: string, folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.') && !SKIPPED_FOLDER.test(entry.name) && !TEST_FILE.test(entry.name))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const name = path.posix.join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(root, name) : [name];
    });
}
