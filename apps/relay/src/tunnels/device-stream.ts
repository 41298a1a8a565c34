import {
  decodeOpenStatus,
  encodeOpenRequest,
  type MuxStream,
  type MuxStreamEvents,
  type OpenRequest,
} from '@tongtu/tunnel';
import type { UpstreamEvents, UpstreamStream } from '../visitors/upstream-stream.ts';

const noEvents: UpstreamEvents = { onData() {}, onEnd() {}, onFailed() {}, onDrain() {} };

/** One LAN connection at a device. Writes the open request first and takes off the status byte that answers it. */
export class DeviceStream implements UpstreamStream, MuxStreamEvents {
  events: UpstreamEvents = noEvents;
  isReused = false;
  /** Whose request it carries; undefined while it is idle. */
  visitorAddress: string | undefined;
  readonly #stream: MuxStream;
  readonly #owner: { release: (stream: DeviceStream) => void; gone: (stream: DeviceStream) => void };
  #hasStatus = false;
  #hasEnded = false;
  #hasPeerEnded = false;

  constructor(
    open: (events: MuxStreamEvents) => MuxStream,
    request: OpenRequest,
    owner: { release: (stream: DeviceStream) => void; gone: (stream: DeviceStream) => void },
  ) {
    this.#owner = owner;
    this.#stream = open(this);
    // Leaves in one frame with the first payload, which is written in the same turn of the event loop.
    this.#stream.write(encodeOpenRequest(request));
  }

  write(chunk: Buffer): boolean {
    return this.#stream.isWritable ? this.#stream.write(chunk) : true;
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
    if (this.#hasStatus) {
      this.events.onData(chunk);
      return;
    }
    this.#hasStatus = true;
    const status = decodeOpenStatus(chunk[0]!); // the mux delivers no empty chunks
    this.#stream.consumed(1);
    if (status !== 'connected') {
      this.reset();
      this.events.onFailed(status);
    } else if (chunk.length > 1) {
      this.events.onData(chunk.subarray(1));
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
}
