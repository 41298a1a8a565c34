import { createServer, type Server } from 'node:tls';
import type { KeyAndCert } from '../relay-config.ts';
import { plainAddress, type VisitorConnections } from '../visitors/visitor-connections.ts';

const HANDSHAKE_TIMEOUT_MS = 10_000;

export function createTlsListener(visitors: VisitorConnections, edge: KeyAndCert): Server {
  const server = createServer(
    {
      ...edge,
      minVersion: 'TLSv1.2',
      ALPNProtocols: ['http/1.1'],
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      allowHalfOpen: true,
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
    },
    (socket) =>
      visitors.accept(
        socket,
        'https',
        typeof socket.servername === 'string' ? socket.servername.toLowerCase() : undefined,
      ),
  );
  // Before the handshake there is nobody to show a page to, and a handshake is what costs.
  server.prependListener('connection', (socket) => {
    if (!visitors.hasRoomFor(plainAddress(socket.remoteAddress))) socket.destroy();
  });
  // A visitor that fails or breaks off its handshake is no event worth a line.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return server;
}
