import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type FileService = AsyncDisposable & {
  url(name: string): string;
  /** The `Range` of each request. */
  ranges: (string | undefined)[];
};

/** Files over HTTP that can be resumed. */
export async function startFileService(files: Readonly<Record<string, Buffer>>): Promise<FileService> {
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
    response.end(content.subarray(from));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: (name) => `http://127.0.0.1:${port}/${encodeURIComponent(name)}`,
    ranges,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
