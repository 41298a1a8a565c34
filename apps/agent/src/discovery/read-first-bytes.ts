import type { Socket } from 'node:net';

const MAX_BYTES = 512;

/** The first bytes that the other side sends, after `send` or by itself; empty if it says nothing. Closes the socket. */
export async function readFirstBytes(
  socket: Socket,
  { timeoutMs, send }: { timeoutMs: number; send?: Buffer },
): Promise<Buffer> {
  return await new Promise((resolve) => {
    const finish = (bytes: Buffer) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(bytes);
    };
    const timer = setTimeout(() => finish(Buffer.alloc(0)), timeoutMs);
    // The beginning is sent in one packet by everything that has a banner.
    socket.once('data', (chunk: Buffer) => finish(Buffer.from(chunk.subarray(0, MAX_BYTES))));
    socket.once('close', () => finish(Buffer.alloc(0)));
    if (send) socket.write(send);
  });
}
