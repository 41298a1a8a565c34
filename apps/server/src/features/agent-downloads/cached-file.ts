import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';

export type FileContent = { bytes: Buffer; sha256: string };

/** Reads a small file that a build may replace while the server runs. Returns undefined while the file is missing. */
export function createCachedFile(file: string): () => Promise<FileContent | undefined> {
  let cached: { version: string; content: FileContent } | undefined;
  return async () => {
    const found = await statIfPresent(file);
    if (!found) return undefined;
    const version = `${found.mtimeMs}/${found.size}/${found.ino}`;
    if (cached?.version !== version) {
      const bytes = await readFile(file);
      cached = { version, content: { bytes, sha256: createHash('sha256').update(bytes).digest('hex') } };
    }
    return cached.content;
  };
}

async function statIfPresent(file: string) {
  try {
    return await stat(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
