import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** Up to this size, copying a body after its head costs less than a second buffer in the write. */
const COPY_BYTES = 16 * 1024;
/** After so few bytes more rarely follow in the same turn. Gathering costs a TCP mapping a fifth of the relay's time. */
const SMALL_BYTES = 4 * 1024;

export type VisitorSocketEvents = {
  onData: (chunk: Buffer) => void;
  onEnd: () => void;
  onDrain: () => void;
  onClose: () => void;
};

/** A visitor's socket that writes everything of one turn of the event loop at once. */
export class VisitorSocket {
  readonly #socket: Socket;
  #isCorked = false;

  constructor(socket: Socket, events: VisitorSocketEvents) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', events.onData);
    socket.on('end', events.onEnd);
    socket.on('drain', events.onDrain);
    // An error is always followed by 'close', which is where everything ends.
    socket.on('error', () => {});
    socket.on('close', events.onClose);
  }

  /** More was sent than the visitor has taken; 'drain' will follow. */
  get mustDrain(): boolean {
    return this.#socket.writableNeedDrain;
  }

  get unsentBytes(): number {
    return this.#socket.writableLength;
  }

  send(bytes: Buffer): boolean {
    if (!this.#socket.writable) return true;
    if (bytes.length > SMALL_BYTES) this.#cork();
    return this.#socket.write(bytes);
  }

  sendHead(text: string, body: Buffer): boolean {
    if (body.length > COPY_BYTES) {
      this.#cork();
      this.send(Buffer.from(text, 'latin1'));
      return this.send(body);
    }
    if (!this.#socket.writable) return true;
    const bytes = Buffer.allocUnsafe(text.length + body.length);
    bytes.write(text, 0, 'latin1');
    body.copy(bytes, text.length);
    return this.#socket.write(bytes);
  }

  /** Calls back once everything sent so far was written, or the connection has closed. */
  whenSent(done: () => void): void {
    this.#socket.write('', () => done());
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    if (this.#socket.isPaused()) this.#socket.resume();
  }

  end(): void {
    this.#socket.end();
  }

  /** The visitor must not take the received part for a complete answer. */
  cut(): void {
    // A TLS socket cannot be reset, and need not be: an end without close_notify marks truncation.
    if (this.#socket instanceof TLSSocket) this.#socket.destroy();
    else this.#socket.resetAndDestroy();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    this.#socket.cork();
    // After all that was read in this turn: a TLS record from the tunnel brings 16 KB only, each in a call of its own.
    setImmediate(this.#uncork);
  }

  readonly #uncork = (): void => {
    this.#isCorked = false;
    this.#socket.uncork();
  };
}
