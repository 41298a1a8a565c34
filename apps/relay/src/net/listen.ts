import type { Server } from 'node:net';

/** Binds a server; `exclusive`: for this process alone, even where processes share ports. Rejects with an error that names the port; its `code` is the system's (`EADDRINUSE`). */
export async function listen(
  server: Server,
  purpose: string,
  address: { host: string; port: number; exclusive?: boolean; backlog?: number },
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'the port is in use' : error.message;
      const problem = new Error(`cannot listen for ${purpose} on ${address.host} port ${address.port}: ${reason}`, {
        cause: error,
      });
      reject(Object.assign(problem, { code: error.code, port: address.port }));
    });
    server.listen({ backlog: 1024, ...address }, resolve);
  });
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('a TCP server has an address with a port');
  return bound.port;
}

/** Takes no more connections; those that are open go on. */
export function stopListening(server: Server): void {
  if (server.listening) server.close();
}
