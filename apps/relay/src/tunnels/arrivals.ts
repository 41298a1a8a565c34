import type { WarmUp } from '../config/relay-config.ts';

/** Waits for devices to come back to a relay that has just started, so that its first visitors find them. */
export class Arrivals {
  readonly #wanted: WarmUp;
  readonly #complete = Promise.withResolvers<void>();
  #count = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(wanted: WarmUp) {
    this.#wanted = wanted;
  }

  /** So many are connected now. */
  note(count: number): void {
    this.#count = count;
    if (count >= this.#wanted.devices) this.#complete.resolve();
  }

  /** Resolves when enough are connected, or after the time that they may take; never once it is cancelled. */
  async wait(): Promise<void> {
    this.note(this.#count);
    this.#timer = setTimeout(() => this.#complete.resolve(), this.#wanted.timeoutMs);
    await this.#complete.promise;
    clearTimeout(this.#timer);
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }
}
