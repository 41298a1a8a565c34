import { terminalInputStepBytes, terminalInputWindowBytes } from '@tongtu/contract';

/** A browser that keeps to the window may add what the user types: interrupts pass ahead of a paste. */
const MAX_UNREPORTED_BYTES = 4 * terminalInputWindowBytes;

/** How much of the input that the browser has sent was reported to it as taken. */
export class InputWindow {
  #receivedBytes = 0;
  #reportedBytes = 0;

  /** Another shell begins, which has got nothing yet. */
  reset(): void {
    this.#receivedBytes = 0;
    this.#reportedBytes = 0;
  }

  /** False when the browser does not wait for reports. */
  add(bytes: number): boolean {
    this.#receivedBytes += bytes;
    return this.#receivedBytes - this.#reportedBytes <= MAX_UNREPORTED_BYTES;
  }

  /** The bytes to report as taken, 0 while it is not worth a message. */
  takeReport(unsentBytes: number): number {
    // What is unsent includes what the protocol adds.
    const taken = this.#receivedBytes - this.#reportedBytes - unsentBytes;
    if (taken < terminalInputStepBytes) return 0;
    this.#reportedBytes += taken;
    return taken;
  }
}
