import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { canonicalAddress } from '@tongtu/base';
import { JOIN_PROTOCOL } from '@tongtu/tunnel';
import type { KeyAndCert } from '../config/relay-config.ts';
import { ChannelJoin } from '../tunnels/channels/channel-join.ts';
import { AdmissionQueue } from '../tunnels/admission-queue.ts';
import { LoginTurns } from '../tunnels/login-turns.ts';
import { type HandshakeDeps, TunnelHandshake } from '../tunnels/tunnel-handshake.ts';
import { ConnectionLimit } from '../net/connection-limit.ts';
import { PendingConnections } from '../net/pending-connections.ts';

/** `open` begins to admit agents; until then they wait. */
export type TunnelListener = { server: Server; open: () => void };

/**
 * The listener for agents. Until its login a connection counts against a limit per address. Thousands may connect at
 * once: each waits for its handshake in a queue that leaves the process time for visitors.
 */
export function createTunnelListener(tls: KeyAndCert, deps: HandshakeDeps): TunnelListener {
  const { limits } = deps;
  const pending = new PendingConnections(
    new ConnectionLimit({ perAddress: limits.maxUnauthenticatedPerIp, total: limits.maxUnauthenticated }),
  );
  const joining = new WeakSet<Socket>();
  const terminator = createTerminator(tls, deps, {
    releaseOf: (socket) => pending.releaseOf(socket),
    onJoin: (socket) => joining.add(pending.rawOf(socket) ?? socket),
  });
  const admission = new AdmissionQueue({
    monotonicMs: deps.monotonicMs,
    nextTurn: setImmediate,
    after(delayMs, callback) {
      const timer = setTimeout(callback, delayMs).unref();
      return () => clearTimeout(timer);
    },
    admit: (socket) => terminator.emit('connection', socket),
  });
  // Waiting connections are not read: their bytes stay in the system's buffers.
  const server = createServer({ noDelay: true, pauseOnConnect: true }, (socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return void socket.destroy(); // the device has already disconnected
    const address = canonicalAddress(remoteAddress);
    let isReleased = false;
    const onReleased = () => {
      admission.leave(socket);
      // An agent that does not know this relay's key ends the connection without a word. Joins are often given up.
      if (!isReleased && socket.destroyed && !joining.has(socket))
        deps.attempts.note({ kind: 'broken_off', ip: address });
      isReleased = true;
    };
    if (pending.begin(socket, address, onReleased)) return admission.enter(socket);
    deps.abuse.report('connections', { ip: address, at: 'tunnel' });
    socket.destroy();
  });
  return { server, open: () => admission.open() };
}

/** Ends TLS on the connections that it gets; it does not listen itself. */
function createTerminator(
  tls: KeyAndCert,
  deps: HandshakeDeps,
  { releaseOf, onJoin }: { releaseOf: (socket: Socket) => () => void; onJoin: (socket: Socket) => void },
): TlsServer {
  const { limits } = deps;
  const logins = new LoginTurns(setImmediate);
  const terminator = createTlsServer(
    {
      ...tls,
      minVersion: 'TLSv1.3',
      handshakeTimeout: limits.tunnelHandshakeTimeoutMs,
      // Offered for joins alone; a login offers none.
      ALPNProtocols: [JOIN_PROTOCOL],
    },
    (socket) => {
      const { remoteAddress } = socket;
      if (remoteAddress === undefined) return void socket.destroy(); // the device has already disconnected
      // The end of a tunnel is not handled at once; see `defer`.
      socket.allowHalfOpen = true;
      const address = canonicalAddress(remoteAddress);
      const onAdmitted = releaseOf(socket);
      if (socket.alpnProtocol === JOIN_PROTOCOL) {
        onJoin(socket);
        new ChannelJoin(socket, address, deps, onAdmitted);
      } else new TunnelHandshake(socket, address, deps, { logins, onAdmitted });
    },
  );
  terminator.on('tlsClientError', (error, socket) => {
    deps.log.debug({ err: error, publicIp: socket.remoteAddress }, 'tunnel handshake failed');
    socket.destroy();
  });
  return terminator;
}
