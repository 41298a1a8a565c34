import { type FrameType, HEADER_BYTES, writeHeader } from './frame.ts';
import { OutputBatch } from './output-batch.ts';
import type { YamuxStream } from './stream.ts';

const FIRST_URGENT_BYTES = 16 * HEADER_BYTES;
/** So much of urgent streams leaves even when there is no room for others. */
const MIN_URGENT_BYTES = 64 * 1024;

/** The queued output of a mux, in order: frames without a stream, window updates, urgent streams, other streams. */
export class OutputSchedule {
  readonly #updates = new Set<YamuxStream>();
  readonly #urgentTurns = new Set<YamuxStream>();
  readonly #turns = new Set<YamuxStream>();
  #urgent: Buffer | undefined;
  #urgentBytes = 0;

  get isEmpty(): boolean {
    return (
      this.#urgentBytes === 0 && this.#turns.size === 0 && this.#urgentTurns.size === 0 && this.#updates.size === 0
    );
  }

  /** Streams wait for their turn. */
  get isBusy(): boolean {
    return this.#turns.size > 0;
  }

  /** Bytes of streams that could be sent now, were there room. */
  get waitingBytes(): number {
    let bytes = 0;
    for (const stream of this.#turns) bytes += stream.queuedBytes;
    return bytes;
  }

  get urgentBytes(): number {
    return this.#urgentBytes;
  }

  addFrame(type: FrameType, flags: number, streamId: number, value: number): void {
    if (this.#urgent === undefined || this.#urgentBytes === this.#urgent.length) {
      const grown = Buffer.allocUnsafe(Math.max(FIRST_URGENT_BYTES, this.#urgentBytes * 2));
      this.#urgent?.copy(grown, 0, 0, this.#urgentBytes);
      this.#urgent = grown;
    }
    writeHeader(this.#urgent, this.#urgentBytes, type, flags, streamId, value);
    this.#urgentBytes += HEADER_BYTES;
  }

  addUpdate(stream: YamuxStream): void {
    this.#updates.add(stream);
  }

  addTurn(stream: YamuxStream): void {
    (stream.isUrgent ? this.#urgentTurns : this.#turns).add(stream);
  }

  remove(stream: YamuxStream): void {
    this.#updates.delete(stream);
    this.#urgentTurns.delete(stream);
    this.#turns.delete(stream);
  }

  clear(): void {
    this.#updates.clear();
    this.#urgentTurns.clear();
    this.#turns.clear();
    this.#urgent = undefined;
    this.#urgentBytes = 0;
  }

  /**
   * Frames of about `maxBytes`, which the last one may exceed. With 0 only frames without a stream, window updates and
   * urgent streams. Calls `onTurn` for each stream after its turn.
   */
  take(maxBytes: number, onTurn: (stream: YamuxStream) => void): Buffer[] {
    const batch = new OutputBatch();
    if (this.#urgent !== undefined && this.#urgentBytes > 0) {
      batch.addPayload(this.#urgent.subarray(0, this.#urgentBytes));
      this.#urgent = undefined;
      this.#urgentBytes = 0;
    }
    for (const stream of this.#updates) stream.takeUpdate(batch);
    this.#updates.clear();
    takeTurns(this.#urgentTurns, batch, Math.max(maxBytes, MIN_URGENT_BYTES), onTurn);
    takeTurns(this.#turns, batch, maxBytes, onTurn);
    return batch.finish();
  }
}

function takeTurns(
  turns: Set<YamuxStream>,
  batch: OutputBatch,
  maxBytes: number,
  onTurn: (stream: YamuxStream) => void,
): void {
  for (const stream of turns) {
    if (batch.bytes >= maxBytes) return;
    stream.takeTurn(batch);
    turns.delete(stream);
    // Back to the end of the queue, which this loop reaches later.
    if (stream.canTakeTurn) turns.add(stream);
    onTurn(stream);
  }
}
