import {
  decodeOpenStatus,
  encodeOpenRequest,
  type MuxStream,
  type MuxStreamEvents,
  type OpenRequest,
} from '@tongtu/tunnel';
import type { Grant } from '../gate/judge-access.ts';
import type { CountingMeter } from '../usage/counting-meter.ts';
import type { UpstreamEvents, UpstreamStream } from '../visitors/upstream-stream.ts';

export type DeviceStreamOwner = {
  readonly meter: CountingMeter;
  release: (stream: DeviceStream) => void;
  gone: (stream: DeviceStream) => void;
};

const noEvents: UpstreamEvents = { onData() {}, onEnd() {}, onFailed() {}, onDrain() {} };

/** One LAN connection at a device. Writes the open request first and takes off the status byte that answers it. */
export class DeviceStream implements UpstreamStream, MuxStreamEvents {
  events: UpstreamEvents = noEvents;
  isReused = false;
  grant: Grant | undefined;
  /** Whose share it is counted in; undefined while it is idle. */
  visitorAddress: string | undefined;
  readonly #stream: MuxStream;
  readonly #owner: DeviceStreamOwner;
  #hasStatus = false;
  #hasEnded = false;
  #hasPeerEnded = false;

  constructor(open: (events: MuxStreamEvents) => MuxStream, request: OpenRequest, owner: DeviceStreamOwner) {
    this.#owner = owner;
    this.#stream = open(this);
    // Leaves in one frame with the first payload, which is written in the same turn of the event loop.
    this.#stream.write(encodeOpenRequest(request));
  }

  write(chunk: Buffer): boolean {
    if (!this.#stream.isWritable) return true;
    this.#owner.meter.addBytesIn(chunk.length);
    return this.#stream.write(chunk);
  }

  end(): void {
    this.#hasEnded = true;
    this.#stream.end();
    if (this.#hasPeerEnded) this.#owner.gone(this);
  }

  reset(): void {
    this.#stream.reset();
    this.#owner.gone(this);
  }

  /** Ends it as if the device had: whoever uses it now is told. */
  cut(): void {
    this.#stream.reset();
    this.onReset();
  }

  consumed(bytes: number): void {
    this.#stream.consumed(bytes);
  }

  release(): void {
    this.isReused = true;
    this.#owner.release(this);
  }

  onData(chunk: Buffer): void {
    if (this.#hasStatus) return this.#deliver(chunk);
    this.#hasStatus = true;
    const status = decodeOpenStatus(chunk[0]!); // the mux delivers no empty chunks
    this.#stream.consumed(1);
    if (status !== 'connected') {
      this.reset();
      this.events.onFailed(status);
    } else if (chunk.length > 1) {
      this.#deliver(chunk.subarray(1));
    }
  }

  onEnd(): void {
    if (!this.#hasStatus) return this.cut();
    this.#hasPeerEnded = true;
    if (this.#hasEnded) this.#owner.gone(this);
    this.events.onEnd();
  }

  onReset(): void {
    this.#owner.gone(this);
    this.events.onFailed('lost');
  }

  onDrain(): void {
    this.events.onDrain();
  }

  #deliver(chunk: Buffer): void {
    this.#owner.meter.addBytesOut(chunk.length);
    this.events.onData(chunk);
  }
}
