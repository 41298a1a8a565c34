import { ProtocolError } from '../errors.ts';
import { FIRST_WINDOW_BYTES, type ReceiveWindow } from './flow-control.ts';
import { flag, frameType } from './frame.ts';
import type { OutputBatch } from './output-batch.ts';
import { SendQueue } from './send-queue.ts';

/** A stream sends at most this much per turn. */
const TURN_BYTES = 32 * 1024;
const MAX_WINDOW_BYTES = 0xffff_ffff;

export type MuxStreamEvents = {
  /** The receiver owns the chunk. It calls `consumed(chunk.length)` when it has passed it on. */
  onData(chunk: Buffer): void;
  /** The peer has ended its direction; we may still write. */
  onEnd(): void;
  /** The peer reset the stream, or the mux was closed; no event follows. */
  onReset(): void;
  /** After `write` returned false: write again. */
  onDrain(): void;
};

/** One stream of a mux. It is no Node stream: it receives by `events` and sends by `write`. */
export type MuxStream = {
  readonly id: number;
  /** May be replaced at any time, as pooled streams need. */
  events: MuxStreamEvents;
  /** Sends before all other streams; for a control stream with few bytes. */
  isUrgent: boolean;
  /** Neither ended by us nor closed. */
  readonly isWritable: boolean;
  /** Reset by either side, ended by both, or closed with its mux. */
  readonly isClosed: boolean;
  /** The peer has sent its end. */
  readonly isPeerEnded: boolean;
  readonly queuedBytes: number;
  /** How many window updates of 0 bytes the peer has sent, including those that only carry flags. */
  readonly emptyUpdateCount: number;
  /**
   * Always queues the chunk; the caller must not change it afterwards. False: the queue is full, wait for `onDrain`.
   * On a closed stream the chunk is dropped. Throws only after `end` and `resetWhenSent`.
   */
  write(chunk: Buffer): boolean;
  /** Ends our direction after the queued data. */
  end(): void;
  /** Ends both directions at once and drops queued data; calls no event. After `end`, with no data queued, the peer gets the end first. */
  reset(): void;
  /** Resets when all queued data is sent, and then calls `onReset`; at once with an empty queue. */
  resetWhenSent(): void;
  /**
   * Sends a window update of 0 bytes before the data that is written next. The peer counts it, and so knows that the
   * following data was written after this call. Allowed only with an empty queue.
   */
  sendEmptyUpdate(): void;
  /** Gives window back to the peer. Throws for more bytes than were delivered; does nothing once closed. */
  consumed(bytes: number): void;
};

/** The part of the mux that its streams use. */
export type StreamOwner = {
  readonly writeHighWaterBytes: number;
  /** The stream has data to send in its turn. */
  wantTurn(stream: YamuxStream): void;
  /** So much of the receive window is free that a window update is due. */
  wantWindowUpdate(stream: YamuxStream): void;
  /** The stream has a window update to send that does not renew its window. */
  wantUpdateFrame(stream: YamuxStream): void;
  /** `reset` was called: remove the stream, and send the reset, after the end that is due, if the peer knows it. */
  onOwnReset(stream: YamuxStream, options: { isKnownToPeer: boolean; isEndDue: boolean }): void;
};

/** The mux's side of a stream. The public API of this package exports only MuxStream. */
export class YamuxStream implements MuxStream {
  readonly id: number;
  readonly window: ReceiveWindow;
  events: MuxStreamEvents;
  isUrgent = false;
  readonly #owner: StreamOwner;
  readonly #queue = new SendQueue();
  #creditBytes = FIRST_WINDOW_BYTES;
  #updateBytes = 0;
  #isEmptyUpdateOwed = false;
  #emptyUpdateCount = 0;
  /** SYN or ACK until it is sent with the first frame. */
  #openingFlag: number;
  #ending: 'open' | 'queued' | 'sent' = 'open';
  #isResetQueued = false;
  #isPeerEnded = false;
  #isClosed = false;
  #isDrainOwed = false;

  constructor(
    id: number,
    options: { owner: StreamOwner; window: ReceiveWindow; events: MuxStreamEvents; openedBy: 'us' | 'peer' },
  ) {
    this.id = id;
    this.window = options.window;
    this.events = options.events;
    this.#owner = options.owner;
    this.#openingFlag = options.openedBy === 'us' ? flag.syn : flag.ack;
  }

  get isWritable(): boolean {
    return this.#ending === 'open' && !this.#isResetQueued && !this.#isClosed;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get isPeerEnded(): boolean {
    return this.#isPeerEnded;
  }

  get queuedBytes(): number {
    return this.#queue.bytes;
  }

  get emptyUpdateCount(): number {
    return this.#emptyUpdateCount;
  }

  write(chunk: Buffer): boolean {
    if (this.#ending !== 'open' || this.#isResetQueued) throw new Error('write after end');
    if (this.#isClosed) return true;
    if (chunk.length > 0) {
      this.#queue.push(chunk);
      if (this.#creditBytes > 0) this.#owner.wantTurn(this);
    }
    // A later small write must not cancel a drain that is due.
    this.#isDrainOwed ||= this.#queue.bytes >= this.#owner.writeHighWaterBytes;
    return !this.#isDrainOwed;
  }

  end(): void {
    if (!this.isWritable) return;
    this.#ending = 'queued';
    this.#isDrainOwed = false;
    if (this.canTakeTurn) this.#owner.wantTurn(this);
  }

  reset(): void {
    if (this.#isClosed) return;
    const isEndDue = this.#ending === 'queued' && this.#queue.bytes === 0;
    this.close();
    this.#owner.onOwnReset(this, { isKnownToPeer: this.#openingFlag !== flag.syn, isEndDue });
  }

  resetWhenSent(): void {
    if (this.#isClosed || this.#isResetQueued) return;
    this.#isResetQueued = true;
    this.#isDrainOwed = false;
    if (!this.isResetDue) return;
    this.reset();
    this.events.onReset();
  }

  sendEmptyUpdate(): void {
    if (this.#isClosed) return;
    if (this.#queue.bytes > 0) throw new Error('an empty window update would overtake what is queued');
    this.#isEmptyUpdateOwed = true;
    this.#owner.wantUpdateFrame(this);
  }

  consumed(bytes: number): void {
    if (this.#isClosed) return;
    // A peer that has ended needs no window.
    if (this.window.consume(bytes) && !this.#isPeerEnded) this.#owner.wantWindowUpdate(this);
  }

  // The members below are for the mux.

  get canTakeTurn(): boolean {
    if (this.#isClosed) return false;
    if (this.#queue.bytes > 0) return this.#creditBytes > 0;
    return this.#openingFlag !== 0 || this.#ending === 'queued';
  }

  /** Both sides have ended and our end is sent: no event can follow. */
  get isFinished(): boolean {
    return this.#ending === 'sent' && this.#isPeerEnded;
  }

  /** `resetWhenSent` was called, and all queued data is sent. */
  get isResetDue(): boolean {
    return this.#isResetQueued && this.#queue.bytes === 0 && this.#ending !== 'queued' && !this.#isClosed;
  }

  /** Writes one turn's worth of frames. */
  takeTurn(batch: OutputBatch): void {
    const bytes = Math.min(this.#queue.bytes, this.#creditBytes, TURN_BYTES);
    if (bytes > 0) {
      batch.addHeader(frameType.data, this.#takeOpeningFlag(), this.id, bytes);
      this.#queue.moveTo(batch, bytes);
      this.#creditBytes -= bytes;
    } else if (this.#openingFlag !== 0) this.takeUpdate(batch);
    if (this.#ending === 'queued' && this.#queue.bytes === 0) {
      // In a separate frame: some implementations read flags before the payload and would lose it.
      batch.addHeader(frameType.windowUpdate, flag.fin, this.id, 0);
      this.#ending = 'sent';
    }
  }

  /** Writes window updates (and ACK), unless sendable data can carry the ACK. */
  takeUpdate(batch: OutputBatch): void {
    if (this.#updateBytes > 0) {
      batch.addHeader(frameType.windowUpdate, this.#takeOpeningFlag(), this.id, this.#updateBytes);
      this.#updateBytes = 0;
    }
    const canDataOpen = this.#queue.bytes > 0 && this.#creditBytes > 0;
    if (!this.#isEmptyUpdateOwed && (this.#openingFlag === 0 || canDataOpen)) return;
    // In a separate frame: an update that gives window back may belong to earlier data.
    batch.addHeader(frameType.windowUpdate, this.#takeOpeningFlag(), this.id, 0);
    this.#isEmptyUpdateOwed = false;
  }

  /** True once after `write` returned false and half of the queue is sent. */
  takeDrain(): boolean {
    if (!this.#isDrainOwed || this.#queue.bytes * 2 > this.#owner.writeHighWaterBytes) return false;
    this.#isDrainOwed = false;
    return true;
  }

  /** False when no update is due: the peer first uses up a window that shrinks. */
  renewWindow(monotonicMs: number, rttMs: number): boolean {
    this.#updateBytes += this.window.renew(monotonicMs, rttMs);
    return this.#updateBytes > 0;
  }

  addCredit(bytes: number): void {
    if (bytes === 0) this.#emptyUpdateCount++;
    this.#creditBytes += bytes;
    if (this.#creditBytes > MAX_WINDOW_BYTES) throw new ProtocolError(`window of stream ${this.id} grew past 32 bits`);
    if (this.#queue.bytes > 0 && this.canTakeTurn) this.#owner.wantTurn(this);
  }

  reserve(bytes: number, monotonicMs: number): void {
    if (bytes > 0 && this.#isPeerEnded) throw new ProtocolError(`data after the end of stream ${this.id}`);
    this.window.reserve(bytes, monotonicMs);
  }

  deliver(slice: Buffer): void {
    this.window.deliver(slice.length);
    this.events.onData(slice);
  }

  /** The caller calls `onEnd`. */
  endByPeer(): void {
    if (this.#isPeerEnded) throw new ProtocolError(`second end of stream ${this.id}`);
    this.#isPeerEnded = true;
    this.#updateBytes = 0;
  }

  /** Drops everything; no event is called. */
  close(): void {
    this.#isClosed = true;
    this.#queue.clear();
    this.#isDrainOwed = false;
    this.window.release();
  }

  #takeOpeningFlag(): number {
    const opening = this.#openingFlag;
    this.#openingFlag = 0;
    return opening;
  }
}
