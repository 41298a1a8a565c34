import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** The faults of a link. As with TCP, bytes arrive in order, and a loss is a stall. */
export type Fault = {
  /** Delay of every chunk, plus up to `jitterMs` at random. */
  delayMs?: number;
  jitterMs?: number;
  /** After so many bytes the link stalls for `stallMs`, as after a lost packet. */
  stallEveryBytes?: number;
  stallMs?: number;
  /** The maximum size of a segment. */
  segmentBytes?: number;
  bytesPerSecond?: number;
};

/** Longer chunks are split, so that a slow link moves evenly. */
const MAX_CHUNK_BYTES = 16 * 1024;
const QUEUE_BYTES = 2 * 1024 * 1024;

/** A link to a TCP port with the faults of a bad network. */
export class FaultLink implements AsyncDisposable {
  fault: Fault = {};
  readonly #server = createServer({ allowHalfOpen: true, noDelay: true });
  readonly #sockets = new Set<Socket>();
  #accepted = 0;

  private constructor(target: { host: string; port: number }) {
    this.#server.on('connection', (near) => {
      this.#accepted++;
      const far = connect({ ...target, allowHalfOpen: true, noDelay: true });
      this.#join(near, far);
      this.#join(far, near);
    });
  }

  static async open(
    listen: { host: string; port: number },
    target: { host: string; port: number },
  ): Promise<FaultLink> {
    const link = new FaultLink(target);
    link.#server.listen(listen);
    await once(link.#server, 'listening');
    return link;
  }

  /** The number of connections so far. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Resets every connection. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Silently drops all bytes of the open connections, like a router that lost its power. */
  silence(): void {
    for (const socket of this.#sockets) {
      socket.removeAllListeners('data');
      socket.removeAllListeners('end');
      socket.pause();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    const way = new Way(from, to, () => this.fault);
    from.on('data', (chunk: Buffer) => way.push(chunk));
    from.on('end', () => way.push('end'));
    from.on('error', () => to.resetAndDestroy());
    from.on('close', () => {
      this.#sockets.delete(from);
      // Bytes sent before a proper end are still in transit.
      if (from.readableEnded) return;
      way.stop();
      to.destroy();
    });
  }
}

/** One direction of a connection: queued chunks with their due times. */
class Way {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #fault: () => Fault;
  readonly #waiting: { piece: Buffer | 'end'; dueMs: number }[] = [];
  #heldBytes = 0;
  #freeAtMs = 0;
  #untilStallBytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(from: Socket, to: Socket, fault: () => Fault) {
    this.#from = from;
    this.#to = to;
    this.#fault = fault;
    to.on('drain', () => this.#arm());
  }

  push(chunk: Buffer | 'end'): void {
    const { segmentBytes = MAX_CHUNK_BYTES } = this.#fault();
    if (chunk === 'end') this.#hold(chunk);
    else for (let at = 0; at < chunk.length; at += segmentBytes) this.#hold(chunk.subarray(at, at + segmentBytes));
    if (this.#heldBytes > QUEUE_BYTES) this.#from.pause();
    this.#arm();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#waiting.length = 0;
  }

  #hold(piece: Buffer | 'end'): void {
    const { delayMs = 0, jitterMs = 0, stallEveryBytes, stallMs = 0, bytesPerSecond } = this.#fault();
    const monotonicMs = performance.now();
    this.#freeAtMs = Math.max(this.#freeAtMs, monotonicMs);
    if (piece !== 'end') {
      this.#heldBytes += piece.length;
      if (bytesPerSecond !== undefined) this.#freeAtMs += (piece.length / bytesPerSecond) * 1000;
      this.#untilStallBytes -= piece.length;
      if (stallEveryBytes !== undefined && this.#untilStallBytes <= 0) {
        this.#untilStallBytes = stallEveryBytes;
        this.#freeAtMs += stallMs;
      }
    }
    this.#waiting.push({ piece, dueMs: this.#freeAtMs + delayMs + Math.random() * jitterMs });
  }

  #arm(): void {
    const [next] = this.#waiting;
    if (this.#timer !== undefined || next === undefined) return;
    const leftMs = next.dueMs - performance.now();
    if (leftMs <= 0) return this.#release();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#release();
    }, leftMs);
  }

  #release(): void {
    const monotonicMs = performance.now();
    let count = 0;
    for (; count < this.#waiting.length; count++) {
      const { piece, dueMs } = this.#waiting[count]!; // the index is inside
      if (dueMs > monotonicMs || (this.#to.writableNeedDrain && piece !== 'end')) break;
      if (piece === 'end') this.#to.end();
      else {
        this.#heldBytes -= piece.length;
        this.#to.write(piece);
      }
    }
    this.#waiting.splice(0, count);
    if (this.#heldBytes <= QUEUE_BYTES / 2) this.#from.resume();
    if (this.#waiting.length === 0) return;
    // Otherwise 'drain' follows.
    if (!this.#to.writableNeedDrain) this.#arm();
  }
}
