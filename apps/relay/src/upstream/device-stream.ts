import type { OpenRequest } from '@tongtu/tunnel';
import type { Grant } from '../access/judge-access.ts';
import type { DeviceShaping } from '../shaping/device-shaping.ts';
import type { ShapedFlow } from '../shaping/shaped-flow.ts';
import type { ByteMeter } from '../usage/mapping-meter.ts';
import type { OpenTarget, RefusedStatus, TargetEvents, TargetStream } from './target-stream.ts';
import { noUpstreamEvents, type StreamWay, type UpstreamEvents, type UpstreamStream } from './upstream-stream.ts';

export type DeviceStreamOwner = {
  readonly meter: ByteMeter;
  readonly shaping: DeviceShaping;
  /** The agent sends an empty window update before the answer to what was written; see AGENT_FEATURES. */
  readonly marksAnswers: boolean;
  /** The device is not reached at present. */
  readonly isAway: () => boolean;
  release: (stream: DeviceStream) => void;
  closed: (stream: DeviceStream) => void;
};

/** One LAN connection at a device, with its visitor's meter and the device's bandwidth. */
export class DeviceStream implements UpstreamStream, TargetEvents {
  events: UpstreamEvents = noUpstreamEvents;
  isReused = false;
  grant: Grant | undefined;
  /** The visitor in whose share it counts; undefined while it is idle. */
  visitorAddress: string | undefined;
  readonly way: StreamWay;
  readonly #stream: TargetStream;
  readonly #owner: DeviceStreamOwner;
  /** Present as soon as something had to go through the device's limited line. */
  #upload: ShapedFlow | undefined;
  #download: ShapedFlow | undefined;
  #hasEnded = false;
  #hasPeerEnded = false;
  /** Idle between two requests: no bytes are expected. */
  #isResting = false;
  /** How many empty window updates had come when a request was written to a used stream: one more precedes its answer. */
  #updatesBefore: number | undefined;
  /** The device has reset it while bytes from it still wait to be passed on. */
  #isLost = false;
  #hasLeft = false;

  constructor(open: OpenTarget, request: OpenRequest, owner: DeviceStreamOwner, way: StreamWay = {}) {
    this.#owner = owner;
    this.way = way;
    this.#stream = open(request, this);
  }

  get queuedBytes(): number {
    return this.#stream.queuedBytes + (this.#upload?.waitingBytes ?? 0);
  }

  get isAway(): boolean {
    return this.#owner.isAway();
  }

  get isPlacedWell(): boolean {
    return this.#stream.isPlacedWell !== false;
  }

  write(chunk: Buffer): boolean {
    if (!this.#stream.isWritable) return true;
    if (this.#isResting) {
      this.#isResting = false;
      this.#stream.isResting = false;
      if (this.#owner.marksAnswers) this.#updatesBefore = this.#stream.emptyUpdateCount;
    }
    const { upload } = this.#owner.shaping;
    if (this.#upload === undefined && upload.isLimited) {
      this.#upload = upload.openFlow({
        pass: (piece) => this.#send(piece),
        onEnd: () => this.#endNow(),
        onDrain: () => this.events.onDrain(),
      });
    }
    return this.#upload === undefined ? this.#send(chunk) : this.#upload.push(chunk);
  }

  end(): void {
    if (this.#upload === undefined) this.#endNow();
    else this.#upload.end();
  }

  reset(): void {
    this.#stream.reset();
    this.#leave();
  }

  /** Ends it as if the device had: its user gets `onFailed`. */
  cut(failure: 'lost' | 'revoked' = 'lost'): void {
    this.reset();
    this.events.onFailed(failure);
  }

  consumed(bytes: number): void {
    this.#stream.consumed(bytes);
  }

  release(): void {
    // Bytes that still wait in the limited line belong to no answer.
    if (this.#download !== undefined && this.#download.waitingBytes > 0) return this.reset();
    // An answer that came before its request had left: what follows that request could be taken for the next answer.
    if (this.queuedBytes > 0) return this.reset();
    this.isReused = true;
    this.#isResting = true;
    this.#stream.isResting = true;
    this.#owner.release(this);
  }

  onRefused(status: RefusedStatus): void {
    this.#leave();
    this.events.onFailed(status);
  }

  onData(chunk: Buffer): void {
    if (this.#isUnasked()) return this.cut();
    this.#receive(chunk);
  }

  /**
   * Whether the service sent the new bytes before it got the request: they would be read as its answer and shown to the
   * wrong visitor. The bytes after them could not be distinguished from an answer either.
   */
  #isUnasked(): boolean {
    if (this.#isResting) return true;
    if (this.#updatesBefore === undefined) return false;
    if (this.#stream.emptyUpdateCount === this.#updatesBefore) return true;
    this.#updatesBefore = undefined;
    return false;
  }

  onEnd(): void {
    if (this.#download === undefined) this.#onPeerEnded();
    else this.#download.end();
  }

  onReset(): void {
    this.#isLost = true;
    this.#upload?.clear();
    // Bytes before the reset are passed on before it, as without a limit.
    if (this.#download === undefined || this.#hasPeerEnded) this.cut();
    else this.#download.end();
  }

  onDrain(): void {
    // A flow that was not stopped has begun after the stream was full.
    if (this.#upload?.resume() !== true) this.events.onDrain();
  }

  #send(chunk: Buffer): boolean {
    this.#owner.meter.addBytesIn(chunk.length);
    return this.#stream.write(chunk);
  }

  #endNow(): void {
    this.#hasEnded = true;
    this.#stream.end();
    if (this.#hasPeerEnded) this.#leave();
  }

  #receive(chunk: Buffer): void {
    const { download } = this.#owner.shaping;
    if (this.#download === undefined && download.isLimited) {
      this.#download = download.openFlow({
        // The receiver says by `consumed` how much it takes, and the window sees to the rest.
        pass: (piece) => {
          this.#deliver(piece);
          return true;
        },
        onEnd: () => (this.#isLost ? this.cut() : this.#onPeerEnded()),
        onDrain() {},
      });
    }
    if (this.#download === undefined) this.#deliver(chunk);
    else this.#download.push(chunk);
  }

  #deliver(chunk: Buffer): void {
    this.#owner.meter.addBytesOut(chunk.length);
    this.events.onData(chunk);
  }

  #onPeerEnded(): void {
    this.#hasPeerEnded = true;
    if (this.#hasEnded) this.#leave();
    this.events.onEnd();
  }

  #leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    this.#upload?.clear();
    this.#download?.clear();
    this.#owner.closed(this);
  }
}
