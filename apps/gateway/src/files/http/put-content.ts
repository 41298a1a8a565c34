import { randomUUID } from 'node:crypto';
import { ContentPutQuery, MAX_EDITED_BYTES, type ContentPut } from '@tongtu/contract';
import { FileError, type FileSystem, isFileError } from '../file-system.ts';
import { partPath } from '../part-name.ts';
import { exists } from '../tree/copy-tree.ts';
import { type FilesCall, readQuery } from './files-call.ts';
import { readBody } from '../../http/read-request.ts';
import { sendJson } from '../../http/send-problem.ts';

/** `PUT content?path=`: saves edited text, unless somebody else has changed the file since it was opened. */
export async function putContent(call: FilesCall): Promise<void> {
  const { path, if_modified: openedVersion } = readQuery(call, ContentPutQuery);
  const content = await readBody(call.request, MAX_EDITED_BYTES, () => new FileError('too-large'));
  const fileSystem = await call.files.fileSystem();
  if (openedVersion === undefined) {
    if (await exists(fileSystem, path)) throw new FileError('exists');
    await createFile(fileSystem, path, content);
  } else {
    const { type, modifiedAt } = await fileSystem.stat(path);
    if (type !== 'file') throw new FileError('not-a-file');
    if (modifiedAt?.getTime() !== Date.parse(openedVersion)) throw new FileError('changed');
    await replaceContent(fileSystem, path, content);
  }
  const { size, modifiedAt } = await fileSystem.stat(path);
  sendJson(call.response, 200, {
    size: size ?? content.length,
    modified_at: modifiedAt?.toISOString() ?? null,
  } satisfies ContentPut);
}

async function createFile(fileSystem: FileSystem, path: string, content: Buffer): Promise<void> {
  const part = partPath(path, randomUUID());
  try {
    await writeAll(fileSystem, part, content);
    await fileSystem.rename(part, path, { overwrite: false });
  } catch (error) {
    await fileSystem.deleteFile(part).catch(() => {}); // there may be none; the reason is thrown
    throw error;
  }
}

/**
 * Written in place, which keeps owner, rights and links. A copy of the new content is there first: it shows that there
 * is room, and if the second write fails it is what is left.
 */
async function replaceContent(fileSystem: FileSystem, path: string, content: Buffer): Promise<void> {
  const part = partPath(path, randomUUID());
  let hasCopy = true;
  try {
    await writeAll(fileSystem, part, content);
  } catch (error) {
    if (!isFileError(error, 'forbidden')) {
      await fileSystem.deleteFile(part).catch(() => {}); // there may be none; the reason is thrown
      throw error;
    }
    hasCopy = false; // the file may be written, but its folder may not
  }
  try {
    await writeAll(fileSystem, path, content);
  } catch (error) {
    if (isFileError(error, 'forbidden') && hasCopy) await fileSystem.deleteFile(part);
    throw isFileError(error, 'forbidden') || !hasCopy ? error : new FileError('partly-written', { cause: error });
  }
  if (hasCopy) await fileSystem.deleteFile(part);
}

async function writeAll(fileSystem: FileSystem, path: string, content: Buffer): Promise<void> {
  await fileSystem.write(path, once(content), { start: 0, total: content.length });
}

async function* once(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}
