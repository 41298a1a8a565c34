import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { certificatePin, type TunnelAddress } from '@tongtu/tunnel';
import { settled } from '../forward/settled.ts';
import type { RelayConnections } from '../line/relay-connections.ts';
import { isSamePin, PinMismatchError } from '../net/pin.ts';
import { dialFresh } from './dial-fresh.ts';
import { RelayHost } from './relay-host.ts';
import { formatAddress } from './tunnel-addresses.ts';

const CONNECT_TIMEOUT_MS = 10_000;

export type RelayAccess = TunnelAddress & {
  relayPin: string;
  /** What is known of its addresses; default: nothing. */
  addresses?: RelayHost;
  connections?: RelayConnections | undefined;
};

export type ConnectOptions = {
  signal: AbortSignal;
  /** The ALPN protocol that the relay has to speak; default: that of logins, which has no name. */
  protocol?: string;
  /** Called when the connection is open, before TLS. */
  onReached?: () => void;
};

/** Opens TLS to the relay and checks its pin. Throws PinMismatchError for another key, else the socket's error. */
export async function connectRelay(relay: RelayAccess, options: ConnectOptions): Promise<TLSSocket> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new Error('timeout')), CONNECT_TIMEOUT_MS);
  const signal = AbortSignal.any([options.signal, timeout.signal]);
  try {
    return await connectBefore(signal, relay, options);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

async function connectBefore(
  signal: AbortSignal,
  { host, port, relayPin, addresses = new RelayHost(host), connections }: RelayAccess,
  { protocol, onReached }: ConnectOptions,
): Promise<TLSSocket> {
  const tcp = await dialFresh(addresses, port, signal);
  onReached?.();
  const socket = connect({
    socket: tcp,
    ...(isIP(host) === 0 && { servername: host }),
    ...(protocol !== undefined && { ALPNProtocols: [protocol] }),
    minVersion: 'TLSv1.3',
    // The certificate is self-signed; the pin below authenticates it.
    rejectUnauthorized: false,
  });
  try {
    await settled(socket, 'secureConnect', signal);
    const certificate = socket.getPeerX509Certificate();
    if (certificate === undefined || !isSamePin(certificatePin(certificate), relayPin)) {
      throw new PinMismatchError(`${host}:${port} shows another key`);
    }
    connections?.add(socket, formatAddress({ host, port }));
    return socket;
  } catch (error) {
    socket.destroy();
    tcp.destroy();
    throw error;
  }
}
