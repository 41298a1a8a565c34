import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { TargetError } from '../errors/target-error.ts';

/** Speaks TLS over a stream to a target. Resolves after the handshake; rejects with the error of the stream or of TLS. */
export async function connectTlsOver(stream: Duplex, options: ConnectionOptions): Promise<TLSSocket> {
  const secure = connect({ ...options, socket: stream });
  // Node.js emits an error of the stream here, and may emit another one for the write that failed with it. By then those
  // who listened once have got theirs, and an error without a listener ends the process.
  secure.on('error', () => {});
  const closed = once(secure, 'close').then(() => Promise.reject(new TargetError('lost')));
  try {
    await Promise.race([once(secure, 'secureConnect'), closed]);
  } catch (error) {
    secure.destroy();
    throw error;
  }
  pauseTogether(secure, stream);
  return secure;
}

/**
 * Stops the stream below a TLS connection as soon as nobody reads the connection. By itself the connection goes on until
 * it has 256 KB, which a target can send as records of one byte, each of which takes a hundred times its size.
 */
function pauseTogether(secure: TLSSocket, stream: Duplex): void {
  secure.on('pause', () => stream.pause());
  secure.on('resume', () => stream.resume());
}
