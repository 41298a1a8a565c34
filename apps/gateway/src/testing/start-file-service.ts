import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type FileService = AsyncDisposable & {
  url(name: string): string;
  /** The `Range` of each request. */
  ranges: (string | undefined)[];
  /** From now on requests get all of a file. */
  release(): void;
};

/** Files over HTTP that can be resumed. Until its release it sends `heldAfterBytes` of a file and then nothing more. */
export async function startFileService(
  files: Readonly<Record<string, Buffer>>,
  { heldAfterBytes = Infinity } = {},
): Promise<FileService> {
  let sentBytes = heldAfterBytes;
  const ranges: FileService['ranges'] = [];
  const server = createServer((request, response) => {
    const content = files[decodeURIComponent((request.url ?? '').slice(1))];
    if (content === undefined) return void response.writeHead(404).end();
    const { range } = request.headers;
    ranges.push(range);
    const from = Number(/^bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0);
    response.writeHead(range === undefined ? 200 : 206, {
      'content-length': content.length - from,
      'accept-ranges': 'bytes',
      ...(range !== undefined && { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }),
    });
    const now = content.subarray(from, sentBytes);
    if (from + now.length < content.length) response.write(now);
    else response.end(now);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: (name) => `http://127.0.0.1:${port}/${encodeURIComponent(name)}`,
    ranges,
    release() {
      sentBytes = Infinity;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
