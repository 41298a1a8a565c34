import { pipeline } from 'node:stream/promises';
import { ContentQuery, nameText } from '@tongtu/contract';
import { type Attributes, FileError, isFileError, nameOf } from '../file-system.ts';
import { readByteRange } from './byte-range.ts';
import { contentHeaders } from './content-headers.ts';
import { type FilesCall, readQuery } from './files-call.ts';

/** `GET content?path=`, whole or a range of it. Fails only before the first byte; later it cuts the connection. */
export async function getContent(call: FilesCall): Promise<void> {
  const { request, response, signal } = call;
  const { path, inline, name } = readQuery(call, ContentQuery);
  const fileSystem = await call.files.fileSystem();
  const attributes = await fileSystem.stat(path);
  // Opening anything else, such as a pipe, may never end.
  if (attributes.type !== 'file' || attributes.size === null) throw new FileError('not-a-file');
  const { size } = attributes;

  const shownName = name ?? nameText(nameOf(path), call.files.nameEncoding);

  const etag = etagOf(attributes);
  const ifRange = request.headers['if-range'];
  const isSameFile = ifRange === undefined || ifRange === etag;
  const range = rangeOf(call, isSameFile ? request.headers.range : undefined, size);
  const { start, end } = range ?? { start: 0, end: size };
  // The first chunk is read before the headers are sent, so that a file that cannot be opened is a clear error.
  const source = fileSystem.read(path, { start, end });
  const first = request.method === 'HEAD' ? undefined : await source.next();
  response.writeHead(range === undefined ? 200 : 206, {
    ...contentHeaders(nameOf(path), { inline: inline === '1', shownName }),
    'content-length': end - start,
    'accept-ranges': 'bytes',
    etag,
    ...(attributes.modifiedAt && { 'last-modified': attributes.modifiedAt.toUTCString() }),
    ...(range && { 'content-range': `bytes ${start}-${end - 1}/${size}` }),
  });
  if (first === undefined) return void response.end();
  await pipeline(
    following(first, source, () => call.files.session.touch()),
    response,
    { signal },
  );
}

function rangeOf({ response }: FilesCall, header: string | undefined, size: number): ReturnType<typeof readByteRange> {
  try {
    return readByteRange(header, size);
  } catch (error) {
    if (isFileError(error, 'range-not-possible')) response.setHeader('content-range', `bytes */${size}`);
    throw error;
  }
}

async function* following(
  first: IteratorResult<Buffer, unknown>,
  rest: AsyncGenerator<Buffer>,
  onChunk: () => void,
): AsyncGenerator<Buffer> {
  try {
    for (let next = first; next.done !== true; next = await rest.next()) {
      onChunk();
      yield next.value;
    }
  } finally {
    await rest.return(undefined); // closes the file also when the client has closed the connection
  }
}

/** As web servers make it: the same size and time is taken for the same content. */
function etagOf({ size, modifiedAt }: Attributes): string {
  return `"${(size ?? 0).toString(16)}-${(modifiedAt?.getTime() ?? 0).toString(16)}"`;
}
