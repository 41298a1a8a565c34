import type { Duplex } from 'node:stream';
import type { Mux, MuxCarrier, OpenRequest } from '@tongtu/tunnel';
import type { TargetEvents, TargetStream } from '../../upstream/target-stream.ts';
import { ChannelStream, type StreamChannel } from './channel-stream.ts';
import type { ChannelLoad } from './place-stream.ts';

/** After a moment without a byte of it, a long transfer is over. */
const LONG_TRANSFER_PAUSE_MS = 3_000;
/** A stream that has moved nothing for so long does not need a channel of its own. */
const ACTIVE_MS = 5_000;
/** While streams are opened, a ping so often shows whether the line still carries what is sent. */
const PING_EVERY_MS = 250;
/** What an answer may take besides twice the round trip, and at least in all: the device may be busy. */
const PATIENCE_BESIDES_MS = 50;
const MIN_PATIENCE_MS = 200;

export type ChannelOwner = {
  readonly monotonicMs: () => number;
  /** One more stream of the channel is in use. */
  onBusy: () => void;
  /** No stream of the channel is in use any more. */
  onUnused: (channel: DeviceChannel) => void;
  isPlacedWell: (channel: DeviceChannel) => boolean;
};

/** One of the connections of a device's session, with its streams to targets. */
export class DeviceChannel implements ChannelLoad, StreamChannel {
  readonly number: number;
  readonly carrier: MuxCarrier;
  readonly #owner: ChannelOwner;
  /** Absent until there is one: most devices are idle. */
  #streams: Set<ChannelStream> | undefined;
  #busyCount = 0;
  #isEnding = false;
  #pingedAtMs = Number.NEGATIVE_INFINITY;
  #longTransferAtMs = Number.NEGATIVE_INFINITY;

  constructor(number: number, carrier: MuxCarrier, owner: ChannelOwner) {
    this.number = number;
    this.carrier = carrier;
    this.#owner = owner;
  }

  get mux(): Mux {
    return this.carrier.mux;
  }

  get isConnected(): boolean {
    return this.carrier.socket !== undefined;
  }

  /** Whether new streams may be placed here. */
  get isOpen(): boolean {
    return !this.#isEnding && !this.mux.isClosed && !this.mux.isPeerGoingAway;
  }

  get silentMs(): number {
    return this.isConnected ? this.mux.silentMs(this.monotonicMs()) : Infinity;
  }

  get patienceMs(): number {
    return Math.max(2 * (this.mux.rttMs ?? 0) + PATIENCE_BESIDES_MS, MIN_PATIENCE_MS);
  }

  get isBulk(): boolean {
    return this.monotonicMs() - this.#longTransferAtMs < LONG_TRANSFER_PAUSE_MS;
  }

  get backlogBytes(): number {
    return this.mux.waitingBytes + this.mux.inFlightBytes;
  }

  get busyCount(): number {
    return this.#busyCount;
  }

  get isPlacedWell(): boolean {
    return this.#owner.isPlacedWell(this);
  }

  /** Throws what `Mux.openStream` throws. */
  open(request: OpenRequest, events: TargetEvents): TargetStream {
    const stream = new ChannelStream(this, request, events);
    this.#streams ??= new Set();
    this.#streams.add(stream);
    this.onStreamBusy();
    return stream;
  }

  /** Streams that have lately moved bytes of an exchange. */
  activeCount(monotonicMs: number): number {
    let count = 0;
    for (const stream of this.#streams ?? [])
      if (!stream.isResting && monotonicMs - stream.lastMovedAtMs < ACTIVE_MS) count++;
    return count;
  }

  /** Goes on over another connection; see MuxCarrier. */
  attach(socket: Duplex, peerReceivedBytes: number): void {
    this.carrier.attach(socket, peerReceivedBytes);
  }

  /** Ends it, with the idle streams that it still has: their owners drop them. */
  closeUnused(): void {
    this.#isEnding = true;
    if (this.isConnected) this.mux.closeWhenSent();
    else this.mux.close();
  }

  // What follows is for its streams.

  monotonicMs(): number {
    return this.#owner.monotonicMs();
  }

  onStreamBusy(): void {
    this.#busyCount++;
    this.#owner.onBusy();
    const monotonicMs = this.monotonicMs();
    if (monotonicMs - this.#pingedAtMs < PING_EVERY_MS) return;
    this.#pingedAtMs = monotonicMs;
    // Rejects when the mux closes, which ends its streams.
    this.mux.ping().catch(() => {});
  }

  onStreamRests(): void {
    this.#busyCount--;
    if (this.#busyCount === 0) this.#owner.onUnused(this);
  }

  onStreamClosed(stream: ChannelStream): void {
    if (this.#streams?.delete(stream) === true && !stream.isResting) this.onStreamRests();
  }

  onLongTransfer(monotonicMs: number): void {
    this.#longTransferAtMs = monotonicMs;
  }
}
