import type { Socket } from 'node:net';
import { createServer, type Server } from 'node:tls';
import type { KeyAndCert } from '../relay-config.ts';
import { type HandshakeDeps, TunnelHandshake } from '../tunnels/tunnel-handshake.ts';
import { ConnectionLimit } from './connection-limit.ts';
import { plainAddress } from './plain-address.ts';

/** Where agents dial in. Until a device has logged in, its connection counts against a limit per address. */
export function createTunnelListener(tls: KeyAndCert, deps: HandshakeDeps): Server {
  const { limits } = deps;
  const limit = new ConnectionLimit({
    perAddress: limits.maxUnauthenticatedPerIp,
    total: limits.maxUnauthenticated,
  });
  const releases = new Map<string, () => void>();
  const server = createServer(
    { ...tls, minVersion: 'TLSv1.3', handshakeTimeout: limits.tunnelHandshakeTimeoutMs, noDelay: true },
    (socket) => {
      const { remoteAddress } = socket;
      if (remoteAddress === undefined) return void socket.destroy(); // the device has gone already
      const release = releases.get(connectionName(socket));
      new TunnelHandshake(socket, plainAddress(remoteAddress), deps, () => release?.());
    },
  );
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return void socket.destroy();
    const address = plainAddress(remoteAddress);
    const release = limit.enter(address);
    if (release === undefined) {
      deps.abuse.report('connections', { ip: address, at: 'tunnel' });
      socket.destroy();
      return;
    }
    const name = connectionName(socket);
    releases.set(name, release);
    socket.once('close', () => {
      releases.delete(name);
      release();
    });
  });
  server.on('tlsClientError', (error, socket) => {
    deps.log.debug({ err: error, publicIp: socket.remoteAddress }, 'tunnel handshake failed');
    socket.destroy();
  });
  return server;
}

/** The same for a connection before and after its handshake, which Node shows as two sockets. */
function connectionName(socket: Socket): string {
  return `${socket.remoteAddress} ${socket.remotePort}`;
}
