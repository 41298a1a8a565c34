import { connect, type Socket } from 'node:net';
import type { RelayHost } from './relay-host.ts';

/**
 * The system repeats a lost SYN after 1 s, 3 s and 7 s, so that a connection which was begun during a cut comes up long
 * after its end. A fresh one does not wait.
 */
const FRESH_AFTER_MS = 500;
/** RFC 8305 §5: how long the first address has the network to itself. */
const OTHER_ADDRESS_AFTER_MS = 250;
const MAX_ATTEMPTS = 5;
const KEEP_ALIVE_MS = 30_000;

export type Connect = typeof connect;

/**
 * Connects by TCP: a fresh attempt every 500 ms beside those before, with the addresses in turn, until one answers.
 * Rejects when every address has failed, or with the reason of an abort.
 */
export function dialFresh(
  host: RelayHost,
  port: number,
  signal: AbortSignal,
  connectTcp: Connect = connect,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const attempts: Socket[] = [];
    const failed = new Set<string>();
    let failure: unknown;
    let count = 0;
    let isResolving = true;
    let isSettled = false;
    let timer: NodeJS.Timeout | undefined;

    const settle = (end: () => void) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      for (const attempt of attempts.splice(0)) attempt.destroy();
      end();
    };
    const abort = () => settle(() => reject(signal.reason));
    const leave = (attempt: Socket) => {
      const index = attempts.indexOf(attempt);
      if (index >= 0) attempts.splice(index, 1);
    };

    const dialNext = () => {
      clearTimeout(timer);
      if (isSettled) return;
      const candidates = host.addresses.filter((address) => !failed.has(address));
      if (candidates.length > 0) dial(candidates);
      else if (!isResolving) settle(() => reject(failure));
    };
    const dial = (candidates: readonly string[]) => {
      const address = candidates[count % candidates.length] ?? '';
      count++;
      timer = setTimeout(dialNext, count < candidates.length ? OTHER_ADDRESS_AFTER_MS : FRESH_AFTER_MS);
      if (attempts.length === MAX_ATTEMPTS) attempts.shift()?.destroy();
      const attempt = connectTcp({
        host: address,
        port,
        noDelay: true,
        keepAlive: true,
        keepAliveInitialDelay: KEEP_ALIVE_MS,
      });
      attempts.push(attempt);
      attempt.once('connect', () => {
        leave(attempt);
        host.onAnswered(address);
        settle(() => resolve(attempt));
      });
      // Stays for the socket's whole life, so that an error between two owners cannot end the process.
      attempt.on('error', (error) => {
        leave(attempt);
        failed.add(address);
        failure = error;
        dialNext();
      });
    };

    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) return abort();
    const [known] = host.addresses;
    dialNext();
    host.refresh().then(
      () => {
        isResolving = false;
        // The name has moved, or nothing was known of it.
        if (known === undefined || !host.addresses.includes(known) || attempts.length === 0) dialNext();
      },
      (error: unknown) => {
        isResolving = false;
        failure ??= error;
        if (attempts.length === 0) dialNext(); // else the known address goes on
      },
    );
  });
}
