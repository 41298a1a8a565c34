import {
  decodeOpenStatus,
  encodeOpenRequest,
  type Mux,
  type MuxStream,
  type MuxStreamEvents,
  type OpenRequest,
} from '@tongtu/tunnel';
import type { TargetEvents, TargetStream } from './target-stream.ts';

/** Has our agent dial a target. */
export function openAgentTarget(mux: Mux, request: OpenRequest, events: TargetEvents): TargetStream {
  const opening = new Opening(events);
  const stream = mux.openStream(opening);
  opening.stream = stream;
  // Leaves in one frame with the first payload, which is written in the same turn of the event loop.
  stream.write(encodeOpenRequest(request));
  return stream;
}

/** Takes off the status byte with which the agent answers an open request. */
class Opening implements MuxStreamEvents {
  stream: MuxStream | undefined;
  readonly #events: TargetEvents;

  constructor(events: TargetEvents) {
    this.#events = events;
  }

  onData(chunk: Buffer): void {
    const { stream } = this;
    if (stream === undefined) return; // the mux calls back only after openStream
    const status = decodeOpenStatus(chunk[0]!); // the mux delivers no empty chunks
    stream.consumed(1);
    if (status !== 'connected') {
      stream.reset();
      this.#events.onRefused(status);
    } else {
      stream.events = this.#events;
      if (chunk.length > 1) this.#events.onData(chunk.subarray(1));
    }
  }

  onEnd(): void {
    this.stream?.reset();
    this.#events.onReset();
  }

  onReset(): void {
    this.#events.onReset();
  }

  onDrain(): void {
    this.#events.onDrain();
  }
}
