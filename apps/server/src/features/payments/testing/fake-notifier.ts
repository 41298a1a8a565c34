import type { FakeBehaviour } from './fake-behaviour.ts';
import type { FakeNotification } from './fake-http.ts';

export type SentNotification = { status: number | 'no reply'; body: string };

const TIMEOUT_MS = 10_000;
const MAX_KEPT = 1_000;

/** Sends one provider's notifications to the merchant, and repeats those that were not accepted. */
export class FakeNotifier implements Disposable {
  /** What the merchant replied, in order. */
  readonly sent: SentNotification[] = [];
  readonly #behaviour: FakeBehaviour;
  readonly #isAccepted: (reply: SentNotification) => boolean;
  readonly #retryDelaysMs: readonly number[];
  readonly #held: (() => FakeNotification)[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(
    behaviour: FakeBehaviour,
    {
      isAccepted,
      retryDelaysMs,
    }: { isAccepted: (reply: SentNotification) => boolean; retryDelaysMs: readonly number[] },
  ) {
    this.#behaviour = behaviour;
    this.#isAccepted = isAccepted;
    this.#retryDelaysMs = retryDelaysMs;
  }

  /** Resolves when the merchant has replied. `build` is called for each copy, because each is signed at its own time. */
  async notify(build: () => FakeNotification): Promise<void> {
    const { notifications, copies } = this.#behaviour;
    if (notifications === 'drop') return;
    if (notifications === 'hold') {
      this.#held.push(build);
      if (this.#held.length > MAX_KEPT) this.#held.shift();
      return;
    }
    for (let copy = 0; copy < copies; copy++) await this.#send(build, 0);
  }

  /** Sends what was held, in this order or the last one first. */
  async release({ order }: { order: 'kept' | 'reversed' }): Promise<void> {
    const held = this.#held.splice(0);
    for (const build of order === 'kept' ? held : held.reverse()) await this.#send(build, 0);
  }

  async #send(build: () => FakeNotification, attempt: number): Promise<void> {
    const reply = await post(build());
    this.sent.push(reply);
    if (this.sent.length > MAX_KEPT) this.sent.shift();
    const delayMs = this.#retryDelaysMs[attempt];
    if (this.#isAccepted(reply) || delayMs === undefined) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.#send(build, attempt + 1);
    }, delayMs);
    this.#timers.add(timer);
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}

async function post({ url, headers, rawBody }: FakeNotification): Promise<SentNotification> {
  try {
    const body = new Uint8Array(rawBody);
    const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return { status: response.status, body: await response.text() };
  } catch {
    return { status: 'no reply', body: '' }; // the merchant's server is not there: real providers try again, too
  }
}
