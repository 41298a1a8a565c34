import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { type FileEntry, FileListQuery, isPossibleName } from '@tongtu/contract';
import type { HeldMemory } from '../../budget/session-memory.ts';
import type { Entry } from '../file-system.ts';
import { type FilesCall, readQuery } from './files-call.ts';

/** Other sessions have their turn in between. */
const WRITTEN_AT_ONCE = 500;

/** `GET list?path=` (`FileList`). Written as the target sends it, and kept until the end, because it may fail until then. */
export async function listFolder(call: FilesCall): Promise<void> {
  const { path } = readQuery(call, FileListQuery);
  const fileSystem = await call.files.fileSystem();
  const { response } = call;
  const held = call.files.session.memory.hold(0);
  try {
    const [parts, freeBytes] = await Promise.all([
      writeEntries(fileSystem.list(path, { withLinkTargets: true }), held, call.signal),
      fileSystem.freeBytes(path),
    ]);
    parts.push(Buffer.from(`],"free_bytes":${JSON.stringify(freeBytes)}}`));
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': parts.reduce((sum, { length }) => sum + length, 0),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    await pipeline(Readable.from(parts), response, { signal: call.signal });
  } finally {
    held[Symbol.dispose]();
  }
}

async function writeEntries(
  list: AsyncIterable<readonly Entry[]>,
  held: HeldMemory,
  signal: AbortSignal,
): Promise<Buffer[]> {
  const parts: Buffer[] = [Buffer.from('{"entries":[')];
  for await (const entries of list) {
    for (let at = 0; at < entries.length; at += WRITTEN_AT_ONCE) {
      signal.throwIfAborted();
      const text = entries.slice(at, at + WRITTEN_AT_ONCE).map((entry) => JSON.stringify(toJson(entry)));
      const part = Buffer.from((parts.length === 1 ? '' : ',') + text.join(','));
      held.grow(part.length);
      parts.push(part);
      await setImmediate();
    }
  }
  return parts;
}

function toJson({ name, type, linkTarget, size, modifiedAt }: Entry): FileEntry {
  return {
    name,
    type,
    ...(linkTarget !== undefined && { link_target: linkTarget }),
    size,
    modified_at: modifiedAt?.toISOString() ?? null,
    ...(!isPossibleName(name) && { usable: false as const }),
  };
}
