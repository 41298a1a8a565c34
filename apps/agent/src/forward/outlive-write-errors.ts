import type { Socket } from 'node:net';

type Done = (error?: Error | null) => void;

/**
 * Keeps a socket whose peer has reset it readable to its end. By itself Node destroys a socket at the first write that
 * fails, together with what the peer had sent before: the answer `413` to an upload that was too large. Writing stays
 * stuck then, and the caller is told; the reader's end or error, or the caller, closes the socket.
 */
export function outliveWriteErrors(socket: Socket, onWriteError: (error: Error) => void): void {
  const guard =
    (done: Done): Done =>
    (error) => {
      // A socket that is being destroyed must hear back.
      if (error && !socket.destroyed) onWriteError(error);
      else done(error);
    };
  const write = socket._write.bind(socket);
  socket._write = (chunk, encoding, done) => write(chunk, encoding, guard(done));
  const writev = socket._writev?.bind(socket);
  if (writev) socket._writev = (chunks, done) => writev(chunks, guard(done));
}
