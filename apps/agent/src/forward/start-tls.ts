import { lenientTls } from '@tongtu/base';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { trustingContext } from '../net/system-certificates.ts';
import { settled } from './settled.ts';
import { TargetError, targetErrorOf } from './target-error.ts';

/**
 * Speaks TLS over an open connection to a LAN device, by the name `host`; `isVerified` refuses one without a
 * certificate that is valid for the host, from an authority that this machine trusts; `isHttp2` offers HTTP/2 alone,
 * which services of gRPC insist on. Throws TargetError; the connection is destroyed then.
 */
export async function startTls(
  socket: Socket,
  host: string,
  { isVerified, isHttp2 = false, signal }: { isVerified: boolean; isHttp2?: boolean; signal: AbortSignal },
): Promise<TLSSocket> {
  const trust = isVerified ? { secureContext: await trustingContext() } : lenientTls;
  // Over a connection that was lost meanwhile TLS would neither begin nor fail.
  if (socket.destroyed) throw new TargetError('tlsFailed');
  const secured = connectTls({
    socket, // whose allowHalfOpen counts here too
    host, // the name to check the certificate against; the socket is connected already
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...trust,
    ...(isHttp2 && { ALPNProtocols: ['h2'] }),
  });
  try {
    await settled(secured, 'secureConnect', signal);
    return secured;
  } catch (error) {
    secured.destroy();
    socket.destroy();
    if (signal.aborted) throw targetErrorOf(signal.reason);
    // Node's types leave out that it is empty until the certificate was looked at and refused.
    const isRefused = isVerified && Boolean(secured.authorizationError);
    throw new TargetError(isRefused ? 'certificateInvalid' : 'tlsFailed', { cause: error });
  }
}
