import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FileContent } from './cached-file.ts';

/** `etag`: of the packed bytes, which other versions of zlib pack in another way. */
export type PackedFile = { bytes: Buffer; etag: string };

/** Returns a function that packs a file with gzip, each content once. */
export function createPackedFile(read: () => Promise<FileContent | undefined>): () => Promise<PackedFile | undefined> {
  let cached: { sha256: string; packed: Promise<PackedFile> } | undefined;
  return async () => {
    const file = await read();
    if (file === undefined) return undefined;
    if (cached?.sha256 !== file.sha256) cached = { sha256: file.sha256, packed: pack(file.bytes) };
    return await cached.packed;
  };
}

async function pack(content: Buffer): Promise<PackedFile> {
  const bytes = await promisify(gzip)(content, { level: 9 });
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"` };
}
