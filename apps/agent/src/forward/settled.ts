import type { Socket } from 'node:net';

/** Waits for the event; rejects when the socket fails or closes before it, or at an abort. */
export function settled(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => settle(new Error('aborted'));
    const settle = (error?: Error) => {
      signal.removeEventListener('abort', abort);
      if (error) reject(error);
      else resolve();
    };
    socket.once(event, () => settle());
    // Stays for the socket's whole life, so that an error between two owners cannot end the process.
    socket.on('error', settle);
    socket.once('close', () => settle(new Error('closed')));
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });
}
