import { createServer, type Server, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { canonicalAddress } from '@tongtu/base';
import type { AbuseLog } from '../net/abuse-log.ts';
import type { CertificateStore } from '../tls/certificate-store.ts';
import type { ClientHello } from '../tls/client-hello.ts';
import type { Passthrough } from '../passthrough/passthrough.ts';
import { readClientHello } from '../tls/read-client-hello.ts';
import { refuseWithAlert } from '../tls/refuse-with-alert.ts';
import { type CertificateRefusal, TlsTerminator } from '../tls/tls-terminator.ts';
import type { DeviceAttempts } from '../net/device-attempts.ts';
import type { RouteTable } from '../routes/route-table.ts';
import type { VisitorConnections } from '../visitors/visitor-connections.ts';
import { ConnectionLimit } from '../net/connection-limit.ts';
import type { FloodingNetworks } from '../net/flooding-networks.ts';
import type { LongHeads } from '../net/long-heads.ts';
import { PendingConnections } from '../net/pending-connections.ts';

const HELLO_TIMEOUT_MS = 10_000;
/** The most connections of all visitors in their handshake: each may hold some 100 KB. */
const MAX_HANDSHAKES = 20_000;

export type TlsListenerDeps = {
  visitors: VisitorConnections;
  passthrough: Passthrough;
  certificates: CertificateStore;
  routes: RouteTable;
  isConsoleHost: (host: string) => boolean;
  /** The visitors' connections after their handshake. */
  visitorLimit: ConnectionLimit;
  longHeads: LongHeads;
  /** Whether many visitors come from this address. */
  isProxy: (address: string) => boolean;
  floods: FloodingNetworks;
  maxHandshakesPerIp: number;
  /** See RelayLimits. */
  floodHoldMs: number;
  /** Takes the connections of stock frpc; see FrpcListener. */
  takeFrpc: (socket: TLSSocket, serverName: string | undefined) => boolean;
  abuse: AbuseLog;
  attempts: DeviceAttempts;
};

/** `server` listens. TLS passthrough is forwarded to the device; all other visitors are served here. */
export type TlsListener = {
  server: Server;
  /** Ends TLS on a connection that another listener has accepted. */
  accept: (socket: Socket) => void;
  setTicketKeys: (keys: Buffer) => void;
};

export function createTlsListener(deps: TlsListenerDeps): TlsListener {
  const { visitors, certificates, routes, longHeads, floods } = deps;
  const handshakes = new PendingConnections(
    new ConnectionLimit({ perAddress: deps.maxHandshakesPerIp, total: MAX_HANDSHAKES }),
  );
  const terminator = new TlsTerminator(certificates, {
    onConnection(socket) {
      handshakes.releaseOf(socket)();
      socket.allowHalfOpen = true;
      const serverName = serverNameOf(socket);
      if (deps.takeFrpc(socket, serverName)) return;
      noteUnknownName(deps, socket, serverName);
      visitors.accept(socket, 'https', serverName);
    },
    onCertificateRefused: (socket, reason) => noteRefusedCertificate(deps, socket, reason),
    onPlainHttp(socket) {
      const raw = handshakes.rawOf(socket);
      if (raw !== undefined) visitors.leadToHttps(raw);
    },
  });
  // Not half-open yet: a visitor that leaves in the middle of its handshake must not hold its place until the timeout.
  const options = { keepAlive: true, keepAliveInitialDelay: 60_000 };
  const server = createServer(options, (socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return void socket.destroy(); // its visitor has already disconnected
    // Before the handshake no page can be shown, and the handshake is what costs.
    const address = canonicalAddress(remoteAddress);
    const isFlooding = !deps.isProxy(address) && floods.has(address);
    const turnAway = () => {
      deps.abuse.report('connections', { ip: address, at: 'https' });
      socket.destroy();
    };
    const waitMs = deps.isProxy(address) || isFlooding ? 0 : floods.waitMs(address);
    if (waitMs === undefined || !deps.visitorLimit.hasRoomFor(address) || !handshakes.begin(socket, address))
      return turnAway();
    const serve = () => terminator.accept(socket, { isHttp2Offered: !longHeads.has(address) && !floods.has(address) });
    const isRoutedByName = () => !routes.isReady || routes.hasPassthrough;
    const readHello = (onHello: (hello: ClientHello) => void) =>
      readClientHello(socket, {
        timeoutMs: HELLO_TIMEOUT_MS,
        onHello,
        onPlainHttp: () => visitors.leadToHttps(socket),
      });
    const goOn = (hello: ClientHello) =>
      isRoutedByName() ? direct(deps, socket, hello, { handshakes, serve }) : serve();
    if (isFlooding)
      return readHello((hello) => {
        // It would come back at once after an alert.
        if (hello.isWithoutHttp1) return later(socket, deps.floodHoldMs, () => socket.destroy());
        const turnMs = floods.waitMs(address);
        if (turnMs === undefined) turnAway();
        else later(socket, turnMs, () => goOn(hello));
      });
    // Reading the ClientHello twice is not free, and without passthrough nothing depends on it.
    later(socket, waitMs, () => (isRoutedByName() ? readHello(goOn) : serve()));
  });
  return {
    server,
    accept: (socket) => terminator.accept(socket, { isHttp2Offered: false }),
    setTicketKeys: (keys) => terminator.setTicketKeys(keys),
  };
}

/** Unless its visitor leaves before. */
function later(socket: Socket, waitMs: number, begin: () => void): void {
  if (waitMs === 0) return begin();
  const onError = () => {}; // 'close' follows
  const timer = setTimeout(() => {
    socket.removeListener('error', onError).removeListener('close', onClose);
    begin();
  }, waitMs);
  const onClose = () => clearTimeout(timer);
  socket.on('error', onError).once('close', onClose);
}

/** Decides who ends TLS with this visitor. */
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
    // It may be for a passthrough host: ending its TLS here, with the relay's certificate, would be worse than waiting.
    handshakes.releaseOf(socket)();
    refuseWithAlert(socket, 'unrecognized_name');
  } else {
    serve();
  }
}

/** Perhaps a frpc whose configuration has another name. Browsers and curl offer protocols (ALPN), frpc does not. */
function noteUnknownName(
  { routes, isConsoleHost, attempts }: TlsListenerDeps,
  { alpnProtocol, remoteAddress }: TLSSocket,
  serverName: string | undefined,
): void {
  if (serverName === undefined || alpnProtocol !== false || remoteAddress === undefined || !routes.isReady) return;
  if (isConsoleHost(serverName) || routes.findRoute(serverName) !== undefined) return;
  attempts.note({ kind: 'name_unknown', ip: canonicalAddress(remoteAddress) });
}

/** A program that checks the certificate where a device connects: its clock may be wrong. */
function noteRefusedCertificate(
  { routes, attempts }: TlsListenerDeps,
  socket: TLSSocket,
  reason: CertificateRefusal,
): void {
  const { remoteAddress } = socket;
  const serverName = serverNameOf(socket);
  if (remoteAddress === undefined || (serverName !== undefined && routes.findRoute(serverName) !== undefined)) return;
  const kind = reason === 'expired' ? 'clock_wrong' : 'certificate_refused';
  attempts.note({ kind, ip: canonicalAddress(remoteAddress) });
}

function serverNameOf(socket: TLSSocket): string | undefined {
  return typeof socket.servername === 'string' ? socket.servername.toLowerCase() : undefined;
}
