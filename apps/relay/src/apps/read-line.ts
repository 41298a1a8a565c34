import type { Socket } from 'node:net';

/**
 * The bytes before the first line break; what follows it stays in the socket, paused. Undefined when the line is longer
 * than `maxBytes`, the socket ends before, or it takes longer than `timeoutMs`.
 */
export async function readLine(
  socket: Socket,
  { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs: number },
): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  let received = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    const at = received.indexOf(0x0a);
    if (at === -1) {
      if (received.length >= maxBytes) resolve(undefined);
      return;
    }
    socket.pause();
    socket.removeListener('data', onData);
    if (at + 1 < received.length) socket.unshift(received.subarray(at + 1));
    resolve(at < maxBytes ? received.toString('utf8', 0, at) : undefined);
  };
  const onEnd = () => resolve(undefined);
  const timer = setTimeout(onEnd, timeoutMs);
  socket.on('data', onData).once('end', onEnd).once('close', onEnd);
  const line = await promise;
  clearTimeout(timer);
  socket.removeListener('data', onData).removeListener('end', onEnd).removeListener('close', onEnd);
  return line;
}
