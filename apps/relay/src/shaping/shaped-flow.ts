import { ChunkQueue } from './chunk-queue.ts';

/** Where a flow's bytes go. */
export type FlowSink = {
  /** Takes the chunk in any case; false: no more until `resume` is called. */
  pass(chunk: Buffer): boolean;
  /** `end` was called, and everything before it has been passed. */
  onEnd(): void;
  /** After `push` returned false: push again. */
  onDrain(): void;
};

/** The line that flows wait for. */
export type FlowLine = {
  /** Whether so many bytes may go at once; they are accounted for then. */
  tryPass(bytes: number): boolean;
  /** The flow has bytes that wait for their turn. */
  enter(flow: ShapedFlow): void;
  leave(flow: ShapedFlow): void;
};

/** `push` returns false from this much waiting on; `onDrain` comes at half of it, so that turns are not missed. */
const HIGH_WATER_BYTES = 64 * 1024;

/** One direction of one stream on its way through a line that is shared and limited. */
export class ShapedFlow {
  readonly #line: FlowLine;
  readonly #sink: FlowSink;
  readonly #queue = new ChunkQueue();
  #isBlocked = false;
  #isDrainOwed = false;
  #ending: 'open' | 'waiting' | 'over' = 'open';

  constructor(line: FlowLine, sink: FlowSink) {
    this.#line = line;
    this.#sink = sink;
  }

  get waitingBytes(): number {
    return this.#queue.bytes;
  }

  get canTakeTurn(): boolean {
    return this.waitingBytes > 0 && !this.#isBlocked;
  }

  /** Takes the chunk in any case, unless the flow has ended; false: wait for `onDrain`. */
  push(chunk: Buffer): boolean {
    if (this.#ending !== 'open' || chunk.length === 0) return true;
    if (this.waitingBytes === 0 && !this.#isBlocked && this.#line.tryPass(chunk.length)) {
      this.#pass(chunk);
    } else {
      this.#queue.push(chunk);
      if (!this.#isBlocked) this.#line.enter(this);
    }
    // Looked at only now: the line may have passed all of it on. Once owed, a little more pushed does not undo it.
    this.#isDrainOwed ||= this.#isBlocked || this.waitingBytes >= HIGH_WATER_BYTES;
    return !this.#isDrainOwed;
  }

  /** Nothing more is pushed. */
  end(): void {
    if (this.#ending !== 'open') return;
    this.#ending = 'waiting';
    this.#isDrainOwed = false;
    this.#endWhenEmpty();
  }

  /** The sink takes more again. Returns false when the flow had not been told to stop. */
  resume(): boolean {
    if (!this.#isBlocked) return false;
    this.#isBlocked = false;
    if (this.waitingBytes > 0) this.#line.enter(this);
    this.#drainWhenLow();
    return true;
  }

  /** Drops what waits; nothing is passed and nobody is told of anything any more. */
  clear(): void {
    this.#ending = 'over';
    this.#isDrainOwed = false;
    this.#queue.clear();
    this.#line.leave(this);
  }

  /** Passes on up to so many bytes and returns how many it were. */
  takeTurn(maxBytes: number): number {
    let passedBytes = 0;
    while (passedBytes < maxBytes && !this.#isBlocked) {
      const piece = this.#queue.take(maxBytes - passedBytes);
      if (piece === undefined) break;
      passedBytes += piece.length;
      this.#pass(piece);
    }
    this.#drainWhenLow();
    this.#endWhenEmpty();
    return passedBytes;
  }

  #pass(chunk: Buffer): void {
    if (!this.#sink.pass(chunk)) this.#isBlocked = true;
  }

  #drainWhenLow(): void {
    if (!this.#isDrainOwed || this.#isBlocked || this.waitingBytes * 2 > HIGH_WATER_BYTES) return;
    this.#isDrainOwed = false;
    this.#sink.onDrain();
  }

  #endWhenEmpty(): void {
    if (this.#ending !== 'waiting' || this.waitingBytes > 0) return;
    this.#ending = 'over';
    this.#sink.onEnd();
  }
}
