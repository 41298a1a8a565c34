import type { Socket } from 'node:net';
import { createServer, type Server } from 'node:tls';
import type { KeyAndCert } from '../relay-config.ts';
import { type HandshakeDeps, TunnelHandshake } from '../tunnels/tunnel-handshake.ts';
import { ConnectionLimit } from './connection-limit.ts';
import { PendingConnections } from './pending-connections.ts';
import { plainAddress } from './plain-address.ts';

/** Where agents dial in. Until a device has logged in, its connection counts against a limit per address. */
export function createTunnelListener(tls: KeyAndCert, deps: HandshakeDeps): Server {
  const { limits } = deps;
  const pending = new PendingConnections(
    new ConnectionLimit({ perAddress: limits.maxUnauthenticatedPerIp, total: limits.maxUnauthenticated }),
  );
  const server = createServer(
    { ...tls, minVersion: 'TLSv1.3', handshakeTimeout: limits.tunnelHandshakeTimeoutMs, noDelay: true },
    (socket) => {
      const { remoteAddress } = socket;
      if (remoteAddress === undefined) return void socket.destroy(); // the device has gone already
      new TunnelHandshake(socket, plainAddress(remoteAddress), deps, pending.releaseOf(socket));
    },
  );
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return void socket.destroy();
    const address = plainAddress(remoteAddress);
    if (pending.begin(socket, address)) return;
    deps.abuse.report('connections', { ip: address, at: 'tunnel' });
    socket.destroy();
  });
  server.on('tlsClientError', (error, socket) => {
    deps.log.debug({ err: error, publicIp: socket.remoteAddress }, 'tunnel handshake failed');
    socket.destroy();
  });
  return server;
}
