import { connect } from 'node:net';

/** Reads this many bytes from a port of this machine, and throws them away. */
export function openSink(port: number, bytes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = 0;
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('data', (chunk) => (received += chunk.length));
    socket.once('error', reject);
    socket.once('close', () => {
      if (received >= bytes) resolve();
      else reject(new Error(`${received} of ${bytes} bytes arrived`));
    });
  });
}
