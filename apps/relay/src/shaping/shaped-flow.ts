import { ChunkQueue } from './chunk-queue.ts';

/** The receiver of a flow's bytes. */
export type FlowSink = {
  /** Takes the chunk in any case; false: no more until `resume` is called. */
  pass(chunk: Buffer): boolean;
  /** Called after `end`, when everything before it was passed. */
  onEnd(): void;
  /** After `push` returned false: push again. */
  onDrain(): void;
};

/** The line that flows wait for. */
export type FlowLine = {
  /** Whether so many bytes may pass at once; if so, they are counted. */
  tryPass(bytes: number): boolean;
  /** The flow has bytes that wait for their turn. */
  enter(flow: ShapedFlow): void;
  leave(flow: ShapedFlow): void;
};

/** `push` returns false when this much waits; `onDrain` follows at half of it, so that no turn is missed. */
const HIGH_WATER_BYTES = 64 * 1024;

/** One direction of one stream through a shared line with a limit. */
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
    // Checked after the push, because the line may have passed everything. A drain that is owed stays owed.
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

  /** The sink takes more again. Returns false when the flow was not paused. */
  resume(): boolean {
    if (!this.#isBlocked) return false;
    this.#isBlocked = false;
    if (this.waitingBytes > 0) this.#line.enter(this);
    this.#drainWhenLow();
    return true;
  }

  /** Drops the waiting bytes. No bytes and no events follow. */
  clear(): void {
    this.#ending = 'over';
    this.#isDrainOwed = false;
    this.#queue.clear();
    this.#line.leave(this);
  }

  /** Passes up to so many bytes and returns how many. */
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
