import { FIRST_WINDOW_BYTES, type ReceiveWindow } from './flow-control.ts';
import { flag, frameType } from './frame.ts';
import type { OutputBatch } from './output-batch.ts';
import { ProtocolError } from './protocol-error.ts';
import { SendQueue } from './send-queue.ts';

/** A stream sends at most this much before the next one has its turn. */
const TURN_BYTES = 32 * 1024;
const MAX_WINDOW_BYTES = 0xffff_ffff;

export type MuxStreamEvents = {
  /** The receiver owns the chunk; it calls `consumed(chunk.length)` once it has really passed it on. */
  onData(chunk: Buffer): void;
  /** The peer sends no more; our side may still write. */
  onEnd(): void;
  /** The peer reset the stream, or the whole mux went away; no event follows. */
  onReset(): void;
  /** After `write` returned false: write again. */
  onDrain(): void;
};

/** One stream of a mux. Not a Node stream: bytes come by `events`, and leave by `write`. */
export type MuxStream = {
  readonly id: number;
  /** May be replaced at any time: a pooled stream changes hands. */
  events: MuxStreamEvents;
  /** Sends before all streams that are not urgent; for a control stream with little to say. */
  isUrgent: boolean;
  /** Neither ended by us nor closed. */
  readonly isWritable: boolean;
  /** Reset by either side, ended by both, or gone with its mux. */
  readonly isClosed: boolean;
  /** The peer has sent its end. */
  readonly isPeerEnded: boolean;
  readonly queuedBytes: number;
  /** How many window updates of 0 bytes the peer has sent, flags alone counted as well. */
  readonly emptyUpdateCount: number;
  /**
   * Queues the chunk, always; the caller must not change it afterwards. False: enough is queued, wait for `onDrain`.
   * On a closed stream the chunk is dropped. Throws only after `end` and `resetWhenSent`.
   */
  write(chunk: Buffer): boolean;
  /** Ends our direction after what is queued. */
  end(): void;
  /** Ends both directions now and drops what is queued; calls no event. */
  reset(): void;
  /** Resets once everything queued has left, and then calls `onReset`; at once when nothing is queued. */
  resetWhenSent(): void;
  /**
   * Sends a window update of 0 bytes ahead of what is written next. The peer counts it, and so knows that what follows was
   * written after this call. Only while nothing is queued.
   */
  sendEmptyUpdate(): void;
  /** Gives window back to the peer. Throws for more bytes than were delivered; does nothing once closed. */
  consumed(bytes: number): void;
};

/** What a stream asks of its mux. */
export type StreamOwner = {
  readonly writeHighWaterBytes: number;
  /** The stream has something to send in its turn. */
  wantTurn(stream: YamuxStream): void;
  /** So much of the receive window was used that the peer should hear of it. */
  wantWindowUpdate(stream: YamuxStream): void;
  /** The stream has a window update to send, and its window stays as it is. */
  wantUpdateFrame(stream: YamuxStream): void;
  /** `reset` was called: tell the peer if it knows the stream, and forget it. */
  onOwnReset(stream: YamuxStream, options: { isKnownToPeer: boolean }): void;
};

/** The mux's side of a stream; the door of this package shows only MuxStream. */
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
  /** SYN or ACK while it has not left yet; it rides on the first frame that does. */
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
    // Once owed, a drain is not undone by a little more that is written before it.
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
    this.close();
    this.#owner.onOwnReset(this, { isKnownToPeer: this.#openingFlag !== flag.syn });
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

  // From here on: for the mux.

  get canTakeTurn(): boolean {
    if (this.#isClosed) return false;
    if (this.#queue.bytes > 0) return this.#creditBytes > 0;
    return this.#openingFlag !== 0 || this.#ending === 'queued';
  }

  /** Both sides have ended and our end has left: nothing more can happen. */
  get isFinished(): boolean {
    return this.#ending === 'sent' && this.#isPeerEnded;
  }

  /** `resetWhenSent` was called, and nothing is left to be sent before. */
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
      // In a frame of its own: some implementations read flags before the payload and would lose it.
      batch.addHeader(frameType.windowUpdate, flag.fin, this.id, 0);
      this.#ending = 'sent';
    }
  }

  /** Writes window updates (and ACK), unless data that may leave now can carry the ACK. */
  takeUpdate(batch: OutputBatch): void {
    if (this.#updateBytes > 0) {
      batch.addHeader(frameType.windowUpdate, this.#takeOpeningFlag(), this.id, this.#updateBytes);
      this.#updateBytes = 0;
    }
    const canDataOpen = this.#queue.bytes > 0 && this.#creditBytes > 0;
    if (!this.#isEmptyUpdateOwed && (this.#openingFlag === 0 || canDataOpen)) return;
    // In a frame of its own: window that is given back may be that of anything written earlier.
    batch.addHeader(frameType.windowUpdate, this.#takeOpeningFlag(), this.id, 0);
    this.#isEmptyUpdateOwed = false;
  }

  /** True once after `write` returned false and half of the queue has gone. */
  takeDrain(): boolean {
    if (!this.#isDrainOwed || this.#queue.bytes * 2 > this.#owner.writeHighWaterBytes) return false;
    this.#isDrainOwed = false;
    return true;
  }

  /** False when there is nothing to tell the peer: a window that shrinks is used up first. */
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

  /** The caller tells `onEnd`. */
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
