import type { Duplex } from 'node:stream';
import { MuxClosedError } from '../errors.ts';
import type { MuxOptions } from './mux-options.ts';
import { Mux } from './mux.ts';

/** Limits the bytes queued in the socket, so that an urgent frame is soon on the wire. */
const MAX_UNSENT_BYTES = 256 * 1024;
/** How long a closed mux waits for its last bytes to leave. */
const CLOSE_TIMEOUT_MS = 2000;

type ConnectOptions = Omit<MuxOptions, 'onOutput'> & {
  /** Runs the work after the end of a connection; default: at once. Servers with thousands of them spread it. */
  defer?: (work: () => void) => void;
};

/**
 * Connects a mux to an open socket and takes ownership of the socket: reads without pausing, writes queued output once
 * per turn of the event loop, and closes both together. Chunks are passed on uncopied, so the socket must not reuse
 * their memory (Node's sockets do not, unless opened with `onread`).
 */
export function connectMux(socket: Duplex, { defer, ...options }: ConnectOptions): Mux {
  let isScheduled = false;
  let isFlushing = false;

  const mux = new Mux({
    ...options,
    onOutput: schedule,
    onClose(error) {
      // During `flush`, bytes taken before the close are still to be written: `flush` ends the socket after them.
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
    // With a full socket 'drain' follows; with a closed one nothing can be written.
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
  // Thousands of connections may end at once. Errors are expensive to create, so a closed mux creates none.
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
