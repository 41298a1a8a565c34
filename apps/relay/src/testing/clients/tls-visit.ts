import { once } from 'node:events';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';

/** A visitor after its TLS handshake. Rejects when the handshake fails. Disposing destroys the connection. */
export async function tlsVisit(
  port: number,
  servername: string | undefined,
  options: ConnectionOptions = {},
): Promise<TLSSocket & Disposable> {
  const socket = connect({
    port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ...(servername === undefined ? {} : { servername }),
    ...options,
  });
  socket.on('error', () => {}); // also of a second one after the wait has ended
  await once(socket, 'secureConnect');
  return Object.assign(socket, { [Symbol.dispose]: () => void socket.destroy() });
}

/** The common name of the certificate for that server name. */
export async function shownName(port: number, servername: string | undefined): Promise<string> {
  using visitor = await tlsVisit(port, servername);
  return String(visitor.getPeerCertificate().subject.CN);
}

/** Repeats handshakes until the certificate for that name has this common name. */
export async function untilShown(port: number, servername: string, commonName: string): Promise<void> {
  while ((await shownName(port, servername).catch(() => undefined)) !== commonName);
}
