import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { MeasuredDevices } from '@tongtu/server/testing/devices';
import type { ReadRequest } from './reader-thread.ts';

export type Reader = AsyncDisposable & {
  /** Reads a whole reply of the server, without decoding or parsing it. */
  read: (
    path: string,
    as: { cookies: ReadonlyMap<string, string>; encoding: 'identity' | 'br' },
  ) => Promise<{ status: number }>;
};

/**
 * Lets the server listen on a loopback port, and calls it over one connection from a thread of its own: reading takes
 * none of the server's time.
 */
export async function openReader({ app }: MeasuredDevices['app']): Promise<Reader> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo; // it listens on a port, not on a socket file
  const thread = new Worker(new URL('reader-thread.ts', import.meta.url), { workerData: port });
  return {
    read: async (path, { cookies, encoding }) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const request: ReadRequest = { path, headers: { host: 'localhost', cookie, 'accept-encoding': encoding } };
      thread.postMessage(request);
      const [status] = (await once(thread, 'message')) as [number]; // as `reader-thread.ts` answers
      return { status };
    },
    [Symbol.asyncDispose]: async () => void (await thread.terminate()),
  };
}
