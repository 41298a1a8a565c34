import type { Duplex } from 'node:stream';
import { MuxClosedError } from './mux-errors.ts';
import type { MuxOptions } from './mux-options.ts';
import { Mux } from './mux.ts';

/** So little waits in the socket that an urgent frame is soon on the wire. */
const MAX_UNSENT_BYTES = 256 * 1024;
/** How long a closed mux waits for its last bytes to leave. */
const CLOSE_TIMEOUT_MS = 2000;

type ConnectOptions = Omit<MuxOptions, 'onOutput'> & {
  /** Runs what follows the end of a connection, now or a little later; absent: now. For those who have thousands. */
  defer?: (work: () => void) => void;
};

/**
 * Joins a mux to an open socket and owns the socket from then on: reads it without ever pausing, writes what is ready
 * once per turn of the event loop, and ends both together. The chunks that the socket emits are passed on uncopied, so
 * the socket must not reuse their memory (Node's sockets do not, unless opened with `onread`).
 */
export function connectMux(socket: Duplex, { defer, ...options }: ConnectOptions): Mux {
  let isScheduled = false;
  let isFlushing = false;

  const mux = new Mux({
    ...options,
    onOutput: schedule,
    onClose(error) {
      // While flushing, bytes taken before the close have yet to be written: `flush` ends the socket after them.
      if (!isFlushing) endSocket(socket, mux);
      options.onClose(error);
    },
  });

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(flushScheduled);
  }

  function flushScheduled(): void {
    isScheduled = false;
    flush();
  }

  function flush(): void {
    // Otherwise 'drain' follows, or nothing ever.
    if (mux.isClosed || !socket.writable || socket.writableNeedDrain) return;
    isFlushing = true;
    const buffers = mux.takeOutput(Math.max(MAX_UNSENT_BYTES - socket.writableLength, 1));
    isFlushing = false;
    const isRoomLeft = writeTogether(socket, buffers);
    if (mux.isClosed) endSocket(socket, mux);
    else if (isRoomLeft && mux.hasOutput) schedule();
  }

  socket.on('data', (chunk: Buffer) => mux.receive(chunk));
  socket.on('drain', flush);
  // Thousands of connections may end at once, and an error costs more than all else here: none is made for nobody.
  function closeBecause(reason: string): void {
    if (mux.isClosed) return;
    if (defer === undefined) close();
    else defer(close);
    function close(): void {
      if (!mux.isClosed) mux.close(mux.isPeerGoingAway ? undefined : new MuxClosedError(reason));
    }
  }
  socket.on('error', (error) => mux.close(error));
  socket.on('end', () => closeBecause('the peer ended the connection'));
  socket.on('close', () => closeBecause('the connection was closed'));
  return mux;
}

/** One write for the system, however many buffers. Returns false when 'drain' will follow. */
function writeTogether(socket: Duplex, buffers: Buffer[]): boolean {
  if (buffers.length > 1) socket.cork();
  let isRoomLeft = true;
  for (const buffer of buffers) isRoomLeft = socket.write(buffer);
  if (buffers.length > 1) socket.uncork();
  return isRoomLeft;
}

/** Sends what a closed mux has left to say, which is its GoAway, and ends the socket, by force after a while. */
function endSocket(socket: Duplex, mux: Mux): void {
  if (socket.destroyed) return;
  // After the peer's end nobody reads a GoAway.
  if (socket.readableEnded) return void socket.destroy();
  if (socket.writable) writeTogether(socket, mux.takeOutput(0));
  const timer = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
  // Not destroyed at once: closing a socket with unread bytes makes the system drop what the peer has yet to read.
  socket.end();
}
