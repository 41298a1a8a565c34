import { createHash } from 'node:crypto';
import { bytesOfName } from '@tongtu/contract';
import { childPath, nameOf, parentPath } from './file-system.ts';

/** What most file systems allow. */
const MAX_NAME_BYTES = 255;

/** Where a file is written until it is whole: `.name.key.part` beside it, with the name cut if it would be too long. */
export function partPath(path: string, key: string): string {
  const ending = `.${createHash('sha256').update(key).digest('hex').slice(0, 8)}.part`;
  const roomBytes = MAX_NAME_BYTES - 1 - ending.length;
  return childPath(parentPath(path), `.${cutToBytes(nameOf(path), roomBytes)}${ending}`);
}

function cutToBytes(text: string, maxBytes: number): string {
  let kept = '';
  let bytes = 0;
  for (const character of text) {
    bytes += bytesOfName(character).length;
    if (bytes > maxBytes) break;
    kept += character;
  }
  return kept;
}
