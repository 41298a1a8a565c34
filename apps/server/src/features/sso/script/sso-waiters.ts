import { networkOf } from '@tongtu/base';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { OpenDb } from '../../../db/driver.ts';
import { readNotice } from '../../../db/read-notice.ts';

const Notice = z.object({ state: z.string() });

// Many people share a network, and no handful of them may hold all there is. Any page can have its visitors' browsers wait:
// those of other sites have a few places to themselves and take none from whoever is about to log in.
const MAX_WAITERS = {
  own: { all: 5_000, perNetwork: 60 },
  others: { all: 500, perNetwork: 10 },
} as const;

/** Whose a wait is: `own` is what no page of another site asked for. */
export type WaitClient = { ip: string; pages: keyof typeof MAX_WAITERS };

type Waiter = { stateKey: string; network: string; pages: WaitClient['pages']; wake: () => void };

export type Wait<Found> = WaitClient & {
  stateHash: Buffer;
  /** Ends the wait. */
  signal: AbortSignal;
  check: () => Promise<Found | undefined>;
};

/** The long polls of this process; `sso_step` of any process wakes those of its state. */
export class SsoWaiters implements AsyncDisposable {
  readonly #waiters = new Set<Waiter>();
  readonly #stopping = new AbortController();
  readonly #parts = new AsyncDisposableStack();

  static async start({ listen, log }: { listen: OpenDb['listen']; log: Logger }): Promise<SsoWaiters> {
    const waiters = new SsoWaiters();
    // After a lost connection nobody knows what was missed, so everybody looks again.
    const onLost = (): void => waiters.#wake(() => true);
    waiters.#parts.use(await listen('sso_step', (payload) => waiters.#notify(payload, log), onLost));
    return waiters;
  }

  /** False when there are so many already that another one has to be refused. */
  hasRoomFor({ ip, pages }: WaitClient): boolean {
    const { all, perNetwork } = MAX_WAITERS[pages];
    const alike = [...this.#waiters].filter((waiter) => waiter.pages === pages);
    if (alike.length >= all) return false;
    const network = networkOf(ip);
    return alike.filter((waiter) => waiter.network === network).length < perNetwork;
  }

  /** What `check` finds, at once or when somebody wakes it; undefined when the signal or a stop ends the wait. */
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
        // Made before looking: what happens in between is looked at again.
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

  /** Answers every wait, so that a stop does not wait for them; pages ask again by themselves. */
  cancelAll(): void {
    this.#stopping.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cancelAll();
    await this.#parts.disposeAsync();
  }

  #notify(payload: string, log: Logger): void {
    const notice = readNotice(Notice, payload);
    if (notice === undefined) log.warn('a notification of sso_step was not understood');
    else this.#wake(({ stateKey }) => stateKey === notice.state);
  }

  #wake(matches: (waiter: Waiter) => boolean): void {
    for (const waiter of this.#waiters) if (matches(waiter)) waiter.wake();
  }
}
