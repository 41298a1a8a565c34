import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

export type EchoServer = AsyncDisposable & { port: number; target: string };

/** A LAN service that echoes WebSocket messages. */
export async function startEchoServer(): Promise<EchoServer> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', (socket) => {
    socket.on('message', (message: Buffer, isBinary) => socket.send(message, { binary: isBinary }));
    socket.on('error', () => socket.terminate());
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listening on TCP: never a pipe name
  return {
    port,
    target: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
