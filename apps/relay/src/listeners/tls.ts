import { createServer, type Server, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { canonicalAddress } from '@tongtu/base';
import type { AbuseLog } from '../net/abuse-log.ts';
import type { CertificateStore } from '../tls/certificate-store.ts';
import type { ClientHello } from '../tls/client-hello.ts';
import type { Passthrough } from '../passthrough/passthrough.ts';
import { readClientHello } from '../tls/read-client-hello.ts';
import { refuseWithAlert } from '../tls/refuse-with-alert.ts';
import { TlsTerminator } from '../tls/tls-terminator.ts';
import type { RouteTable } from '../routes/route-table.ts';
import type { VisitorConnections } from '../visitors/visitor-connections.ts';
import { ConnectionLimit } from '../net/connection-limit.ts';
import type { LongHeads } from '../net/long-heads.ts';
import { PendingConnections } from '../net/pending-connections.ts';

const HELLO_TIMEOUT_MS = 10_000;
/** Connections of all visitors together that are still in their handshake: each may hold some 100 KB. */
const MAX_HANDSHAKES = 20_000;

export type TlsListenerDeps = {
  visitors: VisitorConnections;
  passthrough: Passthrough;
  certificates: CertificateStore;
  routes: RouteTable;
  isConsoleHost: (host: string) => boolean;
  /** The visitors' connections that are through their handshake. */
  visitorLimit: ConnectionLimit;
  longHeads: LongHeads;
  maxHandshakesPerIp: number;
  abuse: AbuseLog;
};

/** `server` listens; whose TLS ends at a device is passed on, everybody else is served here. */
export type TlsListener = { server: Server; setTicketKeys: (keys: Buffer) => void };

export function createTlsListener(deps: TlsListenerDeps): TlsListener {
  const { visitors, certificates, routes, longHeads } = deps;
  const handshakes = new PendingConnections(
    new ConnectionLimit({ perAddress: deps.maxHandshakesPerIp, total: MAX_HANDSHAKES }),
  );
  const terminator = new TlsTerminator(certificates, (socket) => {
    handshakes.releaseOf(socket)();
    socket.allowHalfOpen = true;
    visitors.accept(socket, 'https', serverNameOf(socket));
  });
  // Not half-open yet: whoever leaves in the middle of a handshake shall not be waited for until that has to be over.
  const options = { keepAlive: true, keepAliveInitialDelay: 60_000 };
  const server = createServer(options, (socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return void socket.destroy(); // its visitor has gone already
    // Before the handshake there is nobody to show a page to, and a handshake is what costs.
    const address = canonicalAddress(remoteAddress);
    if (!deps.visitorLimit.hasRoomFor(address) || !handshakes.begin(socket, address)) {
      deps.abuse.report('connections', { ip: address, at: 'https' });
      return void socket.destroy();
    }
    const serve = () => terminator.accept(socket, { isHttp2Offered: !longHeads.has(address) });
    // Reading the ClientHello twice is not free, and here nothing would hang on it.
    if (routes.isReady && !routes.hasPassthrough) return serve();
    const onHello = (hello: ClientHello) => direct(deps, socket, hello, { handshakes, serve });
    readClientHello(socket, { timeoutMs: HELLO_TIMEOUT_MS, onHello });
  });
  return { server, setTicketKeys: (keys) => terminator.setTicketKeys(keys) };
}

/** Who is to speak TLS with this visitor. */
function direct(
  { routes, isConsoleHost, certificates, passthrough }: TlsListenerDeps,
  socket: Socket,
  { serverName }: ClientHello,
  { handshakes, serve }: { handshakes: PendingConnections; serve: () => void },
): void {
  if (serverName === undefined || isConsoleHost(serverName)) return serve();
  const entry = routes.findRoute(serverName);
  if (entry?.route.tlsPassthrough === true) {
    handshakes.releaseOf(socket)();
    socket.allowHalfOpen = true;
    passthrough.accept(socket, entry);
  } else if (!routes.isReady && !certificates.covers(serverName)) {
    // It may be a device's: ending its TLS here, with a certificate of our own, would be worse than being late.
    handshakes.releaseOf(socket)();
    refuseWithAlert(socket, 'unrecognized_name');
  } else {
    serve();
  }
}

function serverNameOf(socket: TLSSocket): string | undefined {
  return typeof socket.servername === 'string' ? socket.servername.toLowerCase() : undefined;
}
