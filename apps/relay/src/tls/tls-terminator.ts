import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { createServer, type Server, type TlsOptions, type TLSSocket } from 'node:tls';
import type { CertificateStore } from './certificate-store.ts';
import { tlsParameters } from './tls-parameters.ts';

const TICKET_KEY_BYTES = 48;
const HANDSHAKE_TIMEOUT_MS = 10_000;

/** Why a client refuses the certificate that it was shown (RFC 8446 §6.2). Browsers mostly use other alerts. */
export type CertificateRefusal = 'expired' | 'other';

export type TerminatorEvents = {
  onConnection: (socket: TLSSocket) => void;
  onCertificateRefused: (socket: TLSSocket, reason: CertificateRefusal) => void;
  /** The client sent an HTTP request in place of a handshake. The connection closes after the call. */
  onPlainHttp: (socket: TLSSocket) => void;
};

/** Ends visitors' TLS with the certificate for their server name. */
export class TlsTerminator {
  /** A server's ALPN protocols cannot change, so there are two; they differ in nothing else. */
  readonly #servers: { http2: Server; http1: Server };
  /** Until the server has sent ticket keys: sessions are resumed only by this process. */
  #ticketKeys: Buffer = randomBytes(TICKET_KEY_BYTES);

  constructor(certificates: CertificateStore, events: TerminatorEvents) {
    const create = (protocols: string[]) => {
      const options = { ...certificates.default.pair, ticketKeys: this.#ticketKeys, ALPNProtocols: protocols };
      return createTlsServer(certificates, options, events);
    };
    // A WebSocket comes over http/1.1, on a connection of its own: extended CONNECT (RFC 8441) is not offered.
    this.#servers = { http2: create(['h2', 'http/1.1']), http1: create(['http/1.1']) };
    certificates.onDefaultChanged = () => {
      const context = { ...tlsParameters, ...certificates.default.pair, ticketKeys: this.#ticketKeys };
      for (const server of Object.values(this.#servers)) server.setSecureContext(context);
    };
  }

  /** Sessions with these ticket keys are resumed, also those of other relays; all others need a full handshake. */
  setTicketKeys(keys: Buffer): void {
    if (keys.length !== TICKET_KEY_BYTES) throw new Error(`ticket keys of ${keys.length} bytes`);
    this.#ticketKeys = keys;
    for (const server of Object.values(this.#servers)) server.setTicketKeys(keys);
  }

  /** Takes a connection whose bytes are unread or were put back. */
  accept(socket: Socket, { isHttp2Offered }: { isHttp2Offered: boolean }): void {
    this.#servers[isHttp2Offered ? 'http2' : 'http1'].emit('connection', socket);
  }
}

function createTlsServer(
  certificates: CertificateStore,
  options: TlsOptions,
  { onConnection, onCertificateRefused, onPlainHttp }: TerminatorEvents,
): Server {
  const server = createServer(
    {
      ...tlsParameters,
      ...options,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      SNICallback: (serverName, done) => {
        try {
          done(null, certificates.contextFor(serverName));
        } catch (error) {
          done(error as Error); // OpenSSL refuses this certificate
        }
      },
    },
    onConnection,
  );
  // A failed handshake of a visitor is not logged.
  server.on('tlsClientError', (error, socket) => {
    const code = 'code' in error ? String(error.code) : '';
    const reason = refusalIn(code);
    if (reason !== undefined) onCertificateRefused(socket, reason);
    if (code === 'ERR_SSL_HTTP_REQUEST') onPlainHttp(socket);
    socket.destroy();
  });
  return server;
}

/** OpenSSL names the alert in the code of its error. */
function refusalIn(code: string): CertificateRefusal | undefined {
  if (code.endsWith('ALERT_CERTIFICATE_EXPIRED')) return 'expired';
  return /ALERT_(BAD_CERTIFICATE|UNKNOWN_CA)$/.test(code) ? 'other' : undefined;
}
