import { TargetError } from '../errors/target-error.ts';
import type { MemoryBudget } from './memory-budget.ts';

/** The memory that the target of one session makes us hold. Everything that grows with what a target sends is held here. */
export class SessionMemory {
  readonly #budget: MemoryBudget;

  constructor(budget: MemoryBudget) {
    this.#budget = budget;
  }

  get heldBytes(): number {
    return this.#budget.heldBytes;
  }

  /** Throws TargetError `over-budget`. */
  hold(bytes: number): HeldMemory {
    const held = new HeldMemory(this.#budget);
    held.grow(bytes);
    return held;
  }

  /**
   * For a window of a transfer: what is wanted, or less while little is left, so that many transfers slow down instead of
   * failing. Throws TargetError `over-budget` where even `leastBytes` are too many.
   */
  holdUpTo(wantedBytes: number, leastBytes: number): HeldMemory {
    const shared = Math.floor(this.#budget.freeBytes / 8);
    return this.hold(Math.max(Math.min(wantedBytes, shared), Math.min(wantedBytes, leastBytes)));
  }
}

/** Part of a session's memory, held until it is disposed of. */
export class HeldMemory implements Disposable {
  readonly #budget: MemoryBudget;
  #bytes = 0;
  #isReleased = false;

  constructor(budget: MemoryBudget) {
    this.#budget = budget;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Throws TargetError `over-budget`, and then holds what it held before. */
  grow(bytes: number): void {
    if (this.#isReleased) throw new TargetError('lost'); // who works on has been left alone
    if (bytes > this.#budget.freeBytes) throw new TargetError('over-budget');
    this.#budget.hold(bytes);
    this.#bytes += bytes;
  }

  /** Throws TargetError `over-budget`. */
  resize(bytes: number): void {
    if (bytes > this.#bytes) return this.grow(bytes - this.#bytes);
    this.#budget.release(this.#bytes - bytes);
    this.#bytes = bytes;
  }

  [Symbol.dispose](): void {
    this.#isReleased = true;
    this.#budget.release(this.#bytes);
    this.#bytes = 0;
  }
}
