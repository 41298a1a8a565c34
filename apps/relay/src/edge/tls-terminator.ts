import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import type { CertificateStore } from './certificate-store.ts';
import { tlsParameters } from './tls-parameters.ts';

const TICKET_KEY_BYTES = 48;
const HANDSHAKE_TIMEOUT_MS = 10_000;

/** Where the relay itself ends visitors' TLS, with the certificate that fits the name they ask for. */
export class TlsTerminator {
  readonly #server: Server;
  /** Until the server has told some: sessions go on, but only with this process. */
  #ticketKeys: Buffer = randomBytes(TICKET_KEY_BYTES);

  constructor(certificates: CertificateStore, onConnection: (socket: TLSSocket) => void) {
    this.#server = createServer(
      {
        ...tlsParameters,
        ...certificates.default.pair,
        ticketKeys: this.#ticketKeys,
        // A WebSocket comes over http/1.1, on a connection of its own: extended CONNECT (RFC 8441) is not offered.
        ALPNProtocols: ['h2', 'http/1.1'],
        handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
        SNICallback: (serverName, done) => {
          try {
            done(null, certificates.contextFor(serverName));
          } catch (error) {
            done(error as Error); // OpenSSL has something against this certificate
          }
        },
      },
      onConnection,
    );
    // A visitor that fails or breaks off its handshake is no event worth a line.
    this.#server.on('tlsClientError', (_error, socket) => socket.destroy());
    certificates.onDefaultChanged = () => {
      const { pair } = certificates.default;
      this.#server.setSecureContext({ ...tlsParameters, ...pair, ticketKeys: this.#ticketKeys });
    };
  }

  /** Sessions that were begun with these keys go on, wherever that was; all others begin anew. */
  setTicketKeys(keys: Buffer): void {
    if (keys.length !== TICKET_KEY_BYTES) throw new Error(`ticket keys of ${keys.length} bytes`);
    this.#ticketKeys = keys;
    this.#server.setTicketKeys(keys);
  }

  /** Takes a connection of which nothing was read, or all was put back. */
  accept(socket: Socket): void {
    this.#server.emit('connection', socket);
  }
}
