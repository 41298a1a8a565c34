import { connect, isIPv6, type Socket } from 'node:net';
import { settled } from './settled.ts';
import { TargetError, targetErrorOf } from './target-error.ts';

const KEEP_ALIVE_MS = 60_000;
/** RFC 8305 §5: how long an attempt has the network to itself. */
const ATTEMPT_DELAY_MS = 250;

/**
 * Connects to the address that answers first (RFC 8305): one attempt after the other, each 250 ms after the one before or
 * when it has failed, and IPv6 and IPv4 in turn. An abort rejects with its reason. Throws TargetError.
 */
export function dialTcp(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const waiting = inTurn(addresses);
    const decided = new AbortController();
    const ended = AbortSignal.any([signal, decided.signal]);
    let timer: NodeJS.Timeout | undefined;
    let open = 0;

    const next = (failure: unknown) => {
      clearTimeout(timer);
      const address = signal.aborted ? undefined : waiting.shift();
      if (address !== undefined) {
        open++;
        if (waiting.length > 0) timer = setTimeout(next, ATTEMPT_DELAY_MS, failure);
        void attempt(address);
      } else if (open === 0) {
        reject(targetErrorOf(signal.aborted ? signal.reason : failure));
      }
    };
    const attempt = async (address: string) => {
      try {
        const socket = await dialAddress(address, port, ended);
        if (decided.signal.aborted) return void socket.destroy();
        clearTimeout(timer);
        decided.abort();
        resolve(socket);
      } catch (error) {
        open--;
        if (!decided.signal.aborted) next(error);
      }
    };
    next(new TargetError('notFound'));
  });
}

/** The first address, then one of the other family, and so on. */
export function inTurn(addresses: readonly string[]): string[] {
  const [first = ''] = addresses;
  const own = addresses.filter((address) => isIPv6(address) === isIPv6(first));
  const other = addresses.filter((address) => isIPv6(address) !== isIPv6(first));
  const longest = Math.max(own.length, other.length);
  return Array.from({ length: longest }, (_, index) => [own[index], other[index]])
    .flat()
    .filter((address) => address !== undefined);
}

async function dialAddress(address: string, port: number, signal: AbortSignal): Promise<Socket> {
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
    throw error;
  }
}
