import type { Socket } from 'node:net';
import type { ClientHello } from './client-hello.ts';
import { ClientHelloReader } from './client-hello-reader.ts';

/** What OpenSSL takes for a request, too. */
const HTTP_REQUEST = /^(GET|HEAD|POST|PUT) /;

type ReadOptions = { timeoutMs: number; onHello: (hello: ClientHello) => void; onPlainHttp: () => void };

/**
 * Waits for the ClientHello of a fresh connection. `onHello` is called at most once, with every byte put back into the
 * socket; `onPlainHttp` for an HTTP request in its place, whose bytes are dropped. A connection without a ClientHello in
 * time, or with other bytes, is closed without an alert.
 */
export function readClientHello(socket: Socket, { timeoutMs, onHello, onPlainHttp }: ReadOptions): void {
  const reader = new ClientHelloReader();
  const destroy = () => socket.destroy();
  const timer = setTimeout(destroy, timeoutMs);
  const onClose = () => clearTimeout(timer);
  const release = () => {
    clearTimeout(timer);
    socket.off('readable', onReadable).off('end', destroy).off('close', onClose);
  };
  const onReadable = () => {
    let chunk = socket.read() as Buffer | null; // no encoding was set
    while (chunk !== null) {
      const reading = reader.push(chunk);
      if (reading.type === 'refused') {
        if (!HTTP_REQUEST.test(chunk.toString('latin1', 0, 5))) return void socket.destroy();
        release();
        return onPlainHttp();
      }
      if (reading.type === 'complete') {
        release();
        socket.unshift(reading.bytes);
        return onHello(reading.hello);
      }
      chunk = socket.read() as Buffer | null;
    }
  };
  // The listener stays, because the socket may be taken over later; an error is always followed by 'close'.
  socket.on('error', () => {});
  socket.on('readable', onReadable).on('end', destroy).on('close', onClose);
}
