import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MeasuredDevices } from '@tongtu/server/testing/devices';

export type Reader = Disposable & {
  /** Reads a whole reply of the server, without decoding or parsing it. */
  read: (
    path: string,
    as: { cookies: ReadonlyMap<string, string>; encoding: 'identity' | 'br' },
  ) => Promise<{ status: number }>;
};

/** Lets the server listen on a loopback port, and calls it over one connection. */
export async function openReader({ app }: MeasuredDevices['app']): Promise<Reader> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo; // it listens on a port, not on a socket file
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    read: async (path, { cookies, encoding }) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = { host: 'localhost', cookie, 'accept-encoding': encoding };
      return await new Promise((resolve, reject) => {
        get({ host: '127.0.0.1', port, path, headers, agent }, (reply) => {
          reply.on('end', () => resolve({ status: reply.statusCode ?? 0 }));
          reply.on('error', reject);
          reply.resume();
        }).on('error', reject);
      });
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}
