import type { HeldMemory, SessionMemory } from '../budget/session-memory.ts';
import { TargetError } from '../errors/target-error.ts';
import { TerminalModes } from './terminal-modes.ts';

const FIRST_BYTES = 8 * 1024;
/** Some thousand lines. */
const MAX_BYTES = 256 * 1024;
/** How far the beginning of a line, or of an escape sequence, is looked for. */
const MAX_SKIPPED_BYTES = 4 * 1024;
const [LINE_FEED, ESCAPE] = [0x0a, 0x1b];

/**
 * The last output of a shell, for a page that comes back. It grows with the output, within what the session may hold.
 */
export class OutputHistory implements Disposable {
  readonly #held: HeldMemory;
  #ring = Buffer.alloc(0);
  #start = 0;
  #length = 0;
  /** By what was dropped. */
  readonly #dropped = new TerminalModes();
  #isCut = false;

  constructor(memory: SessionMemory) {
    this.#held = memory.hold(0);
  }

  [Symbol.dispose](): void {
    this.#held[Symbol.dispose]();
    this.#ring = Buffer.alloc(0);
    this.#length = 0;
  }

  add(output: Buffer): void {
    this.#grow(this.#length + output.length);
    const capacity = this.#ring.length;
    const kept = output.subarray(Math.max(0, output.length - capacity));
    this.#drop(this.#length + kept.length - capacity);
    if (kept.length < output.length) {
      this.#dropped.note(output.subarray(0, output.length - kept.length));
      this.#isCut = true;
    }
    const end = capacity === 0 ? 0 : (this.#start + this.#length) % capacity;
    const first = kept.copy(this.#ring, end);
    kept.copy(this.#ring, 0, first);
    this.#length += kept.length;
  }

  /** What brings a new terminal to the same screen. `mustRedraw`: only the program itself can draw all of it. */
  read(): { bytes: Buffer; mustRedraw: boolean } {
    const whole = Buffer.concat(this.#parts(this.#length));
    if (!this.#isCut) return { bytes: whole, mustRedraw: false };
    const modes = this.#dropped.copy();
    const start = beginningIn(whole);
    modes.note(whole.subarray(0, start));
    const before = Buffer.from(modes.sequences());
    modes.note(whole.subarray(start));
    return { bytes: Buffer.concat([before, whole.subarray(start)]), mustRedraw: modes.isOnSecondScreen };
  }

  #grow(wantedBytes: number): void {
    let capacity = Math.max(this.#ring.length, FIRST_BYTES);
    while (capacity < wantedBytes && capacity < MAX_BYTES) capacity *= 2;
    if (capacity === this.#ring.length) return;
    try {
      this.#held.resize(capacity);
    } catch (error) {
      if (error instanceof TargetError) return; // what it has must do
      throw error;
    }
    const ring = Buffer.alloc(capacity);
    Buffer.concat(this.#parts(this.#length)).copy(ring);
    this.#ring = ring;
    this.#start = 0;
  }

  #drop(bytes: number): void {
    if (bytes <= 0) return;
    const count = Math.min(bytes, this.#length);
    for (const part of this.#parts(count)) this.#dropped.note(part);
    this.#start = (this.#start + count) % this.#ring.length;
    this.#length -= count;
    this.#isCut = true;
  }

  /** The oldest ones. */
  #parts(count: number): Buffer[] {
    const end = this.#start + count;
    const { length: capacity } = this.#ring;
    return [
      this.#ring.subarray(this.#start, Math.min(end, capacity)),
      this.#ring.subarray(0, Math.max(0, end - capacity)),
    ];
  }
}

/** Not in the middle of a line, a character or an escape sequence, if one begins soon. */
function beginningIn(bytes: Buffer): number {
  for (let at = 0; at < Math.min(bytes.length, MAX_SKIPPED_BYTES); at++) {
    if (bytes[at] === LINE_FEED) return at + 1;
    if (bytes[at] === ESCAPE) return at;
  }
  return 0;
}
