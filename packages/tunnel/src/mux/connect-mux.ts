import type { Duplex } from 'node:stream';
import { MuxClosedError, ProtocolError } from '../errors.ts';
import type { MuxOptions } from './mux-options.ts';
import { Mux } from './mux.ts';

/** Limits the bytes queued in the socket, so that an urgent frame is soon on the wire. */
const MAX_UNSENT_BYTES = 256 * 1024;
/** How long a closed mux waits for its last bytes to leave. */
const CLOSE_TIMEOUT_MS = 2000;

export type CarrierOptions = Omit<MuxOptions, 'onOutput'> & {
  /** Runs the work after the end of a connection; default: at once. Servers with thousands of them spread it. */
  defer?: (work: () => void) => void;
  /**
   * The connection was lost, and the mux waits for another one; `reason` undefined: the peer ended it. Without this
   * function the mux closes with its connection.
   */
  onDisconnect?: (reason: Error | undefined) => void;
};

/**
 * Connects a mux to an open socket and takes ownership of the socket: reads without pausing, writes queued output once
 * per turn of the event loop, and closes both together. Chunks are passed on uncopied, so the socket must not reuse
 * their memory (Node's sockets do not, unless opened with `onread`).
 */
export function connectMux(socket: Duplex, options: CarrierOptions): Mux {
  const carrier = new MuxCarrier(options);
  carrier.attach(socket);
  return carrier.mux;
}

/** A mux and the connection that carries it, which may be exchanged for another one. */
export class MuxCarrier {
  readonly mux: Mux;
  readonly #options: CarrierOptions;
  #socket: Duplex | undefined;
  #isScheduled = false;
  #isFlushing = false;

  constructor(options: CarrierOptions) {
    this.#options = options;
    this.mux = new Mux({
      ...options,
      onOutput: () => this.#schedule(),
      onClose: (error) => {
        // During `#flush`, bytes taken before the close are still to be written: `#flush` ends the socket after them.
        if (!this.#isFlushing) this.#endSocket();
        options.onClose(error);
      },
    });
  }

  /** The connection at this time; undefined while there is none. */
  get socket(): Duplex | undefined {
    return this.#socket;
  }

  /**
   * Carries the mux over this socket from now on, and takes ownership of it; an earlier one is destroyed. The peer has
   * received `peerReceivedBytes` of all that the mux has sent: the rest is sent first. Throws ProtocolError, and changes
   * nothing, if that cannot be.
   */
  attach(socket: Duplex, peerReceivedBytes = 0): void {
    const { mux } = this;
    const missing = mux.isResumable ? mux.outputSince(peerReceivedBytes) : [];
    if (missing === undefined) throw new ProtocolError(`a peer that has received ${peerReceivedBytes} bytes`);
    this.detach();
    if (mux.isClosed) return void socket.destroy();
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      if (this.#socket === socket) mux.receive(chunk);
    });
    socket.on('drain', () => {
      if (this.#socket === socket) this.#flush();
    });
    socket.on('error', (error) => this.#onLost(socket, error));
    socket.on('end', () => this.#onLost(socket, 'the peer ended the connection'));
    socket.on('close', () => this.#onLost(socket, 'the connection was closed'));
    writeTogether(socket, missing);
    if (mux.hasOutput) this.#schedule();
  }

  /** Destroys the connection. The mux goes on, and its output waits for another one. */
  detach(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.destroy();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#socket === undefined) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    const { mux } = this;
    const socket = this.#socket;
    // With a full socket 'drain' follows; with a closed one nothing can be written.
    if (!mux.hasOutput || mux.isClosed || socket === undefined || !socket.writable || socket.writableNeedDrain) return;
    mux.measureLine();
    this.#isFlushing = true;
    const buffers = mux.takeOutput(Math.min(MAX_UNSENT_BYTES - socket.writableLength, mux.roomBytes));
    this.#isFlushing = false;
    const isRoomLeft = writeTogether(socket, buffers);
    if (mux.isClosed) this.#endSocket();
    else if (isRoomLeft && mux.hasOutput && mux.roomBytes > 0) this.#schedule();
  }

  // Thousands of connections may end at once. Errors are expensive to create, so a closed mux creates none.
  #onLost(socket: Duplex, reason: Error | string): void {
    if (this.#socket !== socket || this.mux.isClosed) return;
    const { defer } = this.#options;
    // An error of the connection is reported at once, its end in its turn.
    if (defer === undefined || typeof reason !== 'string') this.#leave(socket, reason);
    else defer(() => this.#leave(socket, reason));
  }

  #leave(socket: Duplex, reason: Error | string): void {
    const { mux } = this;
    if (this.#socket !== socket || mux.isClosed) return;
    const { onDisconnect } = this.#options;
    if (onDisconnect === undefined || !mux.isResumable || mux.isPeerGoingAway) {
      if (typeof reason !== 'string') return mux.close(reason);
      return mux.close(mux.isPeerGoingAway ? undefined : new MuxClosedError(reason));
    }
    this.detach();
    onDisconnect(typeof reason === 'string' ? undefined : reason);
  }

  #endSocket(): void {
    const socket = this.#socket;
    if (socket !== undefined) endSocket(socket, this.mux);
  }
}

/** Writes all buffers in one system call. Returns false when 'drain' will follow. */
function writeTogether(socket: Duplex, buffers: Buffer[]): boolean {
  if (buffers.length > 1) socket.cork();
  let isRoomLeft = true;
  for (const buffer of buffers) isRoomLeft = socket.write(buffer);
  if (buffers.length > 1) socket.uncork();
  return isRoomLeft;
}

/** Sends the GoAway of a closed mux and ends the socket; destroys it after CLOSE_TIMEOUT_MS. */
function endSocket(socket: Duplex, mux: Mux): void {
  if (socket.destroyed) return;
  // After its end the peer does not read a GoAway.
  if (socket.readableEnded) return void socket.destroy();
  if (socket.writable) writeTogether(socket, mux.takeOutput(0));
  const timer = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
  // Not destroyed at once: closing a socket with unread bytes makes the system drop bytes that the peer has not read.
  socket.end();
}
