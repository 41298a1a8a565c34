import type { Duplex } from 'node:stream';
import { MuxClosedError } from './mux-errors.ts';
import { Mux, type MuxOptions } from './mux.ts';

/** So little waits in the socket that an urgent frame is soon on the wire. */
const MAX_UNSENT_BYTES = 256 * 1024;
/** How long a closed mux waits for its last bytes to leave. */
const CLOSE_TIMEOUT_MS = 2000;

/**
 * Joins a mux to an open socket and owns the socket from then on: reads it without ever pausing, writes what is ready
 * once per turn of the event loop, and ends both together. The chunks that the socket emits are passed on uncopied, so
 * the socket must not reuse their memory (Node's sockets do not, unless opened with `onread`).
 */
export function connectMux(socket: Duplex, options: Omit<MuxOptions, 'onOutput'>): Mux {
  let isScheduled = false;

  const mux = new Mux({
    ...options,
    onOutput: schedule,
    onClose(error) {
      flush();
      endSocket(socket);
      options.onClose(error);
    },
  });

  function schedule(): void {
    if (isScheduled || mux?.isClosed) return;
    isScheduled = true;
    setImmediate(flushScheduled);
  }

  function flushScheduled(): void {
    isScheduled = false;
    flush();
  }

  function flush(): void {
    if (!socket.writable) return;
    const roomBytes = MAX_UNSENT_BYTES - socket.writableLength;
    if (roomBytes <= 0 && !mux.isClosed) return; // 'drain' follows
    const isAccepted = writeTogether(socket, mux.takeOutput(Math.max(roomBytes, 0)));
    if (isAccepted && mux.hasOutput) schedule();
  }

  socket.on('data', (chunk: Buffer) => mux.receive(chunk));
  socket.on('drain', flush);
  socket.on('error', (error) => mux.close(error));
  socket.on('end', () => mux.close(mux.isPeerGoingAway ? undefined : new MuxClosedError('the peer ended the connection')));
  socket.on('close', () => mux.close(new MuxClosedError('the connection was closed')));
  return mux;
}

/** One write for the system, however many buffers. Returns false when 'drain' will follow. */
function writeTogether(socket: Duplex, buffers: Buffer[]): boolean {
  if (buffers.length > 1) socket.cork();
  let isAccepted = true;
  for (const buffer of buffers) isAccepted = socket.write(buffer);
  if (buffers.length > 1) socket.uncork();
  return isAccepted;
}

function endSocket(socket: Duplex): void {
  if (socket.destroyed) return;
  const timer = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end(() => socket.destroy());
}
