import type { Socket } from 'node:net';

type Done = (error?: Error | null) => void;

/**
 * Keeps a socket readable to its end after the peer has reset it. By default Node destroys a socket at the first failed
 * write and drops what the peer had sent, such as the answer `413` to a large upload. Here the failed write stays
 * pending and `onWriteError` is called. The reader's end or error, or the caller, closes the socket.
 */
export function outliveWriteErrors(socket: Socket, onWriteError: (error: Error) => void): void {
  const guard =
    (done: Done): Done =>
    (error) => {
      // A socket that is being destroyed needs the callback.
      if (error && !socket.destroyed) onWriteError(error);
      else done(error);
    };
  const write = socket._write.bind(socket);
  socket._write = (chunk, encoding, done) => write(chunk, encoding, guard(done));
  const writev = socket._writev?.bind(socket);
  if (writev) socket._writev = (chunks, done) => writev(chunks, guard(done));
}
