import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';

/**
 * Stops the stream below a TLS connection as soon as nobody reads the connection. By itself the connection goes on until
 * it has 256 KB, which a target can send as records of one byte, each of which takes a hundred times its size.
 */
export function pauseTogether(secure: TLSSocket, stream: Duplex): void {
  secure.on('pause', () => stream.pause());
  secure.on('resume', () => stream.resume());
}
