import { STREAM_WINDOW_BYTES } from './session-options.ts';

/** What a visitor may send beside requests and bodies: window updates, priorities, frames of no known type. */
const BURST_BYTES = 4 * 1024 * 1024;
const BYTES_PER_SECOND = 64 * 1024;
/** A field costs less on the wire than its text, but the frame around a small head costs more. */
const BYTES_PER_REQUEST = 256;
/** A body may come in small pieces, each with a frame around it. */
const OVERHEAD_PER_PIECE = 64;
/** A browser acknowledges each few KB of an answer by two window updates. */
const SENT_PER_RECEIVED = 32;

/** How much a connection has received and sent so far. Bytes of bodies that still wait to be read do not count. */
export type Traffic = { received: number; sent: number };

/**
 * Notices a visitor that sends frames which the library reads and nobody sees, such as empty DATA on a finished stream:
 * by the bytes that neither requests nor answers explain.
 */
export class WastedBytes {
  #left = BURST_BYTES;
  #atMs: number;
  #before: Traffic = { received: 0, sent: 0 };
  #explained = 0;

  constructor(monotonicMs: number) {
    this.#atMs = monotonicMs;
  }

  addRequest(raw: readonly string[], { hasBody }: { hasBody: boolean }): void {
    // Of a body that is refused, as much may still be on its way.
    this.#explained += BYTES_PER_REQUEST + (hasBody ? STREAM_WINDOW_BYTES : 0);
    for (const text of raw) this.#explained += text.length;
  }

  addBody(chunk: Buffer): void {
    this.#explained += chunk.length + OVERHEAD_PER_PIECE;
  }

  /** False: too many bytes were wasted. */
  admits(traffic: Traffic, monotonicMs: number): boolean {
    const received = traffic.received - this.#before.received;
    const acknowledged = (traffic.sent - this.#before.sent) / SENT_PER_RECEIVED;
    const allowed = this.#left + ((monotonicMs - this.#atMs) / 1000) * BYTES_PER_SECOND;
    this.#left = Math.min(BURST_BYTES, allowed + this.#explained + acknowledged - received);
    this.#atMs = monotonicMs;
    this.#before = traffic;
    this.#explained = 0;
    return this.#left >= 0;
  }
}
