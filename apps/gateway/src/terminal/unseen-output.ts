import type { Shell } from './shell.ts';

/** Of output that nobody sees: a program goes on, but does not use the device's line up. */
const MAX_BYTES_A_SECOND = 256 * 1024;
const PERIOD_MS = 1_000;

/** Slows a shell down whose page is closed. */
export class UnseenOutput implements Disposable {
  readonly #shell: Shell;
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(shell: Shell) {
    this.#shell = shell;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
    this.#timer ??= setTimeout(() => this.#goOn(), PERIOD_MS).unref();
    if (this.#bytes > MAX_BYTES_A_SECOND) this.#shell.pause();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #goOn(): void {
    this.#timer = undefined;
    this.#bytes = 0;
    this.#shell.resume();
  }
}
