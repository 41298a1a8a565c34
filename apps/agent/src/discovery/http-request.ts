import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';

const MAX_BODY_BYTES = 64 * 1024;

export type Page = { status: number; headers: IncomingHttpHeaders; body: Buffer };

type PageRequest = {
  address: string;
  port: number;
  /** As in a parsed URL: percent-encoded. */
  path: string;
  timeoutMs: number;
  method?: 'GET' | 'OPTIONS';
};

/**
 * Sends one request over an open connection, which is closed then. Reads 64 KiB of the answer and follows no redirect.
 * Rejects when there is no HTTP answer in time.
 */
export async function requestPage(
  socket: Socket,
  { address, port, path, timeoutMs, method = 'GET' }: PageRequest,
): Promise<Page> {
  return await new Promise((resolve, reject) => {
    const request = httpRequest({
      createConnection: () => socket,
      method,
      path,
      headers: { host: `${address}:${port}`, 'user-agent': 'Tongtu-Discovery', accept: '*/*', connection: 'close' },
      // The web servers of small devices break the rules.
      insecureHTTPParser: true,
    });
    const timer = setTimeout(() => request.destroy(new Error('timeout')), timeoutMs);
    request.on('error', (error) => {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    });
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const finish = () => {
        clearTimeout(timer);
        socket.destroy();
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES),
        });
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes >= MAX_BODY_BYTES) finish();
      });
      // What has arrived of a cut or slow page is enough.
      response.on('end', finish);
      response.on('error', finish);
      response.on('close', finish);
    });
    request.end();
  });
}
