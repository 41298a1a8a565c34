import { connect, type TLSSocket } from 'node:tls';
import { certificatePin, type TunnelAddress } from '@tongtu/tunnel';
import type { RelayConnections } from '../line/relay-connections.ts';
import { isSamePin, PinMismatchError } from '../net/pin.ts';
import { formatAddress } from './tunnel-addresses.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 30_000;

/** Opens TLS to the relay and checks its pin. Throws PinMismatchError for another key, else the socket's error. */
export async function connectRelay(
  relay: TunnelAddress & { relayPin: string; connections?: RelayConnections | undefined },
  signal: AbortSignal,
): Promise<TLSSocket> {
  const socket = connect({
    host: relay.host,
    port: relay.port,
    minVersion: 'TLSv1.3',
    // The certificate is self-signed; the pin below authenticates it.
    rejectUnauthorized: false,
  });
  socket.setNoDelay(true);
  socket.setKeepAlive(true, KEEP_ALIVE_MS);
  try {
    await secured(socket, signal);
    const certificate = socket.getPeerX509Certificate();
    if (certificate === undefined || !isSamePin(certificatePin(certificate), relay.relayPin)) {
      throw new PinMismatchError(`${relay.host}:${relay.port} shows another key`);
    }
    relay.connections?.add(socket, formatAddress(relay));
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function secured(socket: TLSSocket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => socket.destroy(new Error('aborted'));
    const timer = setTimeout(() => socket.destroy(new Error('timeout')), CONNECT_TIMEOUT_MS);
    const settle = (error?: Error) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      if (error) reject(error);
      else resolve();
    };
    socket.once('secureConnect', () => settle());
    // Stays for the socket's whole life, so that an error between two owners cannot end the process.
    socket.on('error', settle);
    socket.once('close', () => settle(new Error('closed')));
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });
}
