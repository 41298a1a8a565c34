import { lenientTls } from '@tongtu/base';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { trustingContext } from '../net/system-certificates.ts';
import { TargetError, targetErrorOf } from './target-error.ts';

const KEEP_ALIVE_MS = 60_000;

/** Connects to the first address that answers. An abort rejects with its reason. Throws TargetError. */
export async function dialTcp(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  let failure: unknown = new TargetError('notFound');
  for (const address of addresses) {
    const socket = connect({
      host: address,
      port,
      allowHalfOpen: true,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_MS,
    });
    try {
      await settled(socket, 'connect', signal);
      return socket;
    } catch (error) {
      socket.destroy();
      if (signal.aborted) throw targetErrorOf(signal.reason);
      failure = error;
    }
  }
  throw targetErrorOf(failure);
}

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

function settled(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => settle(new Error('aborted'));
    const settle = (error?: Error) => {
      signal.removeEventListener('abort', abort);
      if (error) reject(error);
      else resolve();
    };
    socket.once(event, () => settle());
    // Stays for the socket's whole life, so that an error between two owners cannot end the process.
    socket.on('error', settle);
    socket.once('close', () => settle(new Error('closed')));
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });
}
