import type { MuxStreamEvents } from '@tongtu/tunnel';
import type { WorkConnection } from './coded-connection.ts';

/** As of a mux's stream: what may wait for a work connection. */
const HIGH_WATER_BYTES = 256 * 1024;

/** The stream of a work connection, and before there is one, what waits for it. */
export class WorkStream {
  #stream: WorkConnection | undefined;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #isDrainOwed = false;

  /** Undefined while there is none. */
  get current(): WorkConnection | undefined {
    return this.#stream;
  }

  get queuedBytes(): number {
    return this.#waitingBytes + (this.#stream?.queuedBytes ?? 0);
  }

  /** False when its caller should wait for the drain. */
  write(chunk: Buffer): boolean {
    if (this.#stream !== undefined) return this.#stream.isWritable ? this.#stream.write(chunk) : true;
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    this.#isDrainOwed ||= this.#waitingBytes >= HIGH_WATER_BYTES;
    return !this.#isDrainOwed;
  }

  /** Sends `first` and what has waited on the new connection. */
  begin(stream: WorkConnection, events: MuxStreamEvents, first?: Buffer): void {
    this.#stream = stream;
    stream.events = events;
    if (first !== undefined) stream.write(first);
    let isRoomLeft = true;
    for (const chunk of this.#waiting.splice(0)) isRoomLeft = stream.write(chunk);
    this.#waitingBytes = 0;
    if (!this.#isDrainOwed) return;
    this.#isDrainOwed = false;
    if (isRoomLeft) events.onDrain();
  }

  consumed(bytes: number): void {
    this.#stream?.consumed(bytes);
  }

  end(): void {
    this.#stream?.end();
  }

  reset(): void {
    this.#stream?.reset();
  }

  /** Drops what waits. After the peer's end a stream closes by itself when all is sent. */
  close(): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (this.#stream?.isPeerEnded !== true) this.#stream?.reset();
  }
}
