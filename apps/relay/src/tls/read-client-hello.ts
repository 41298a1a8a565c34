import type { Socket } from 'node:net';
import type { ClientHello } from './client-hello.ts';
import { ClientHelloReader } from './client-hello-reader.ts';

/**
 * Waits for the ClientHello of a fresh connection. `onHello` is called at most once, with every byte put back into the
 * socket; a connection without a ClientHello in time, or with other bytes, is closed without an alert.
 */
export function readClientHello(
  socket: Socket,
  { timeoutMs, onHello }: { timeoutMs: number; onHello: (hello: ClientHello) => void },
): void {
  const reader = new ClientHelloReader();
  const destroy = () => socket.destroy();
  const timer = setTimeout(destroy, timeoutMs);
  const onClose = () => clearTimeout(timer);
  const onReadable = () => {
    let chunk = socket.read() as Buffer | null; // no encoding was set
    while (chunk !== null) {
      const reading = reader.push(chunk);
      if (reading.type === 'refused') return void socket.destroy();
      if (reading.type === 'complete') {
        clearTimeout(timer);
        socket.off('readable', onReadable).off('end', destroy).off('close', onClose);
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
