import { pipeline } from 'node:stream/promises';
import { nameText, ZipQuery } from '@tongtu/contract';
import { nameOf } from '../file-system.ts';
import { makeLargeZip } from '../tree/make-large-zip.ts';
import { zipEntries } from '../tree/zip-entries.ts';
import { contentDisposition } from './content-headers.ts';
import { type FilesCall, readQuery } from './files-call.ts';
import { fileFailure } from './failures.ts';
import { detailIn } from '../../http/send-problem.ts';

/** `GET zip?paths=`: the files and folders, read while they are sent. A file that breaks off cuts the connection. */
export async function getZip(call: FilesCall): Promise<void> {
  const { paths, name } = readQuery(call, ZipQuery);
  const { response, request, signal, files } = call;
  const fileSystem = await files.fileSystem();
  const roots = await Promise.all(paths.map(async (path) => ({ path, ...(await fileSystem.stat(path)) })));
  const { entries, close } = zipEntries(fileSystem, roots, {
    signal,
    nameEncoding: files.nameEncoding,
    onChunk: () => files.session.touch(),
    reasonOf: (error) => detailIn(fileFailure(error), request.headers['accept-language']),
  });
  response.writeHead(200, {
    'content-type': 'application/zip',
    'content-disposition': contentDisposition(`${name ?? (onlyName(call, paths) || '文件')}.zip`, { inline: false }),
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-store',
  });
  try {
    await pipeline(makeLargeZip(entries), response, { signal });
  } finally {
    await close(); // client-zip stops without ending what it reads
  }
}

function onlyName({ files }: FilesCall, paths: readonly string[]): string {
  const [only = ''] = paths.length === 1 ? paths : [];
  return nameText(nameOf(only), files.nameEncoding);
}
