import { createServer, type Server, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { canonicalAddress } from '@tongtu/base';
import type { FrpcAdmissionDeps } from '../frpc/frpc-admission.ts';
import { FrpcHandshake } from '../frpc/frpc-handshake.ts';
import { ConnectionLimit } from '../net/connection-limit.ts';
import { PendingConnections } from '../net/pending-connections.ts';

/** The record type of a ClientHello, and the byte that some versions of frpc send before it. */
const TLS_HANDSHAKE = 0x16;
const FRP_MARK = 0x17;

export type FrpcListener = {
  /** For FRP_PORT; not yet listening. */
  server: Server;
  /** Takes a connection after its TLS handshake if it is for frpc. False: it is a visitor's. */
  take: (socket: TLSSocket, serverName: string | undefined) => boolean;
  /** Ends TLS on a connection of `server`. */
  onConnection: (socket: Socket) => void;
};

export type FrpcListenerDeps = FrpcAdmissionDeps & {
  /** The host name that frpc dials at the TLS port; undefined: only FRP_PORT is for frpc. */
  host: string | undefined;
};

/** The listener for stock frpc. Until its login a connection counts against a limit per address. */
export function createFrpcListener(deps: FrpcListenerDeps): FrpcListener {
  const { limits } = deps;
  const pending = new PendingConnections(
    new ConnectionLimit({ perAddress: limits.maxUnauthenticatedPerIp, total: limits.maxUnauthenticated }),
  );
  function begin(socket: Socket): string | undefined {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return undefined; // the device has already disconnected
    const address = canonicalAddress(remoteAddress);
    if (pending.begin(socket, address)) return address;
    deps.abuse.report('connections', { ip: address, at: 'frpc' });
    return undefined;
  }
  const listener: FrpcListener = {
    server: createServer({ noDelay: true }, (socket) => {
      const address = begin(socket);
      if (address === undefined) return void socket.destroy();
      readMark(socket, deps, address, () => listener.onConnection(socket));
    }),
    take(socket, serverName) {
      const isHere = portOf(listener.server) === socket.localPort;
      if (!isHere && (deps.host === undefined || serverName !== deps.host)) return false;
      const address = isHere ? canonicalAddress(socket.remoteAddress ?? '') : begin(socket);
      if (address === undefined || address === '') socket.destroy();
      else {
        socket.setNoDelay(true);
        new FrpcHandshake(socket, address, deps, pending.releaseOf(socket));
      }
      return true;
    },
    onConnection: (socket) => socket.destroy(),
  };
  return listener;
}

/** Lets TLS begin, with or without frp's mark before it. Anything else, as frp without TLS, is refused. */
function readMark(
  socket: Socket,
  { limits, abuse, attempts }: FrpcListenerDeps,
  address: string,
  onTls: () => void,
): void {
  const timer = setTimeout(() => socket.destroy(), limits.tunnelHandshakeTimeoutMs);
  socket.on('error', () => {}); // always followed by 'close'
  socket.once('close', () => clearTimeout(timer));
  socket.once('readable', () => {
    clearTimeout(timer);
    const first = socket.read(1) as Buffer | null; // no encoding was set
    if (first?.[0] === TLS_HANDSHAKE) socket.unshift(first);
    else if (first?.[0] !== FRP_MARK) {
      if (first !== null) {
        abuse.report('frpc', { ip: address, reason: 'no TLS' });
        attempts.note({ kind: 'frpc_no_tls', ip: address });
      }
      return void socket.destroy();
    }
    onTls();
  });
}

function portOf(server: Server): number | undefined {
  const address = server.address();
  return typeof address === 'object' ? address?.port : undefined;
}
