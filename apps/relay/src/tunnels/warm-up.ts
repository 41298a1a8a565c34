import type { WarmUpConfig } from '../config/relay-config.ts';

/** Waits for devices to come back to a relay that has just started, so that its first visitors find them. */
export class WarmUp {
  readonly #wanted: WarmUpConfig;
  readonly #complete = Promise.withResolvers<void>();
  #count = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(wanted: WarmUpConfig) {
    this.#wanted = wanted;
  }

  /** Takes the number of devices that are connected. */
  updateCount(count: number): void {
    this.#count = count;
    if (count >= this.#wanted.devices) this.#complete.resolve();
  }

  /** Resolves when enough are connected, or after the time that they may take; never once it is cancelled. */
  async wait(): Promise<void> {
    this.updateCount(this.#count);
    this.#timer = setTimeout(() => this.#complete.resolve(), this.#wanted.timeoutMs);
    await this.#complete.promise;
    clearTimeout(this.#timer);
  }

  /** Other relays do not serve visitors any more. */
  end(): void {
    this.#complete.resolve();
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }
}
