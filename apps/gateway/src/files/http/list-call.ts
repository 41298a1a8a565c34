import { type FileEntry, FileListQuery, type FileList, isPossibleName } from '@tongtu/contract';
import type { z } from 'zod';
import type { Entry } from '../file-system.ts';
import { type FilesCall, readQuery } from './files-call.ts';
import { sendJson } from '../../http/send-problem.ts';

/** `GET list?path=` */
export async function listFolder(call: FilesCall): Promise<void> {
  const { path } = readQuery(call, FileListQuery);
  const fileSystem = await call.files.fileSystem();
  const [entries, freeBytes] = await Promise.all([
    fileSystem.list(path, { withLinkTargets: true }),
    fileSystem.freeBytes(path),
  ]);
  sendJson(call.response, 200, { entries: entries.map(toJson), free_bytes: freeBytes } satisfies z.infer<
    typeof FileList
  >);
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
