import { networkOf } from '@tongtu/base';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { OpenDb } from '../../../db/driver.ts';
import { parseNotification } from '../../../db/parse-notification.ts';

const Notice = z.object({ state: z.string() });

// Many people share a network, and a few must not take all places. Pages of other sites can make their visitors'
// browsers wait here, so they have a small limit of their own and cannot keep anybody from logging in.
const MAX_WAITERS = {
  own: { all: 5_000, perNetwork: 60 },
  others: { all: 500, perNetwork: 10 },
} as const;

/** The client of a wait. `others`: a page of another site made the request. */
export type WaitClient = { ip: string; pages: keyof typeof MAX_WAITERS };

type Waiter = { stateKey: string; network: string; pages: WaitClient['pages']; wake: () => void };

export type Wait<Found> = WaitClient & {
  stateHash: Buffer;
  /** Ends the wait when aborted. */
  signal: AbortSignal;
  check: () => Promise<Found | undefined>;
};

/** The long polls of this process. A notification `sso_step` from any process wakes those with its state. */
export class SsoWaiters implements AsyncDisposable {
  readonly #waiters = new Set<Waiter>();
  readonly #stopping = new AbortController();
  readonly #parts = new AsyncDisposableStack();

  static async start({ listen, log }: { listen: OpenDb['listen']; log: Logger }): Promise<SsoWaiters> {
    const waiters = new SsoWaiters();
    // Notifications may have been missed while the connection was lost, so all waits check again.
    const onLost = (): void => waiters.#wake(() => true);
    waiters.#parts.use(await listen('sso_step', (payload) => waiters.#notify(payload, log), onLost));
    return waiters;
  }

  /** False when the limit for all clients or for this network is reached. */
  hasRoomFor({ ip, pages }: WaitClient): boolean {
    const { all, perNetwork } = MAX_WAITERS[pages];
    const sameKind = [...this.#waiters].filter((waiter) => waiter.pages === pages);
    if (sameKind.length >= all) return false;
    const network = networkOf(ip);
    return sameKind.filter((waiter) => waiter.network === network).length < perNetwork;
  }

  /** Resolves with what `check` finds, now or after a notification; undefined when the signal or a stop ends the wait. */
  async wait<Found>({ stateHash, ip, pages, signal, check }: Wait<Found>): Promise<Found | undefined> {
    const ended = AbortSignal.any([signal, this.#stopping.signal]);
    const waiter: Waiter = {
      stateKey: stateHash.toString('base64url'),
      network: networkOf(ip),
      pages,
      wake: () => undefined,
    };
    ended.addEventListener('abort', () => waiter.wake(), { once: true });
    this.#waiters.add(waiter);
    try {
      for (;;) {
        // Created before the check, so that a notification during the check causes another one.
        const woken = new Promise<void>((resolve) => (waiter.wake = resolve));
        const found = await check();
        if (found !== undefined || ended.aborted) return found;
        await woken;
        if (ended.aborted) return await check();
      }
    } finally {
      this.#waiters.delete(waiter);
    }
  }

  /** Ends every wait, so that a stop need not wait for them. The pages poll again. */
  cancelAll(): void {
    this.#stopping.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cancelAll();
    await this.#parts.disposeAsync();
  }

  #notify(payload: string, log: Logger): void {
    const notice = parseNotification(Notice, payload);
    if (notice === undefined) log.warn('ignored an invalid notification on sso_step');
    else this.#wake(({ stateKey }) => stateKey === notice.state);
  }

  #wake(matches: (waiter: Waiter) => boolean): void {
    for (const waiter of this.#waiters) if (matches(waiter)) waiter.wake();
  }
}
