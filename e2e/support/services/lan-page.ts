import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

export const LAN_HEADING = '家里的相册';

export type LanPage = AsyncDisposable & { target: string };

/** A LAN service with one page for every path and a WebSocket that echoes. */
export async function startLanPage(): Promise<LanPage> {
  const server = http.createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><html lang="zh-CN"><title>相册</title><h1>${LAN_HEADING}</h1></html>`);
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    socket.on('message', (message: Buffer, isBinary) => socket.send(message, { binary: isBinary }));
    socket.on('error', () => socket.terminate());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listening on TCP: never a pipe name
  return {
    target: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
