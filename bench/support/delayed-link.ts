import { once } from 'node:events';
import net from 'node:net';

export type DelayedLink = AsyncDisposable & { near: net.Socket; far: net.Socket };

/** In units of the bandwidth-delay product: the link itself, and a router's queue of the same size before it. */
const QUEUES = 2;

/** Two TCP sockets with delay and limited bandwidth in both directions, in order and without loss. */
export async function openDelayedLink(link: { oneWayMs: number; bytesPerSecond: number }): Promise<DelayedLink> {
  const front = net.createServer().listen(0, '127.0.0.1');
  const back = net.createServer().listen(0, '127.0.0.1');
  await Promise.all([once(front, 'listening'), once(back, 'listening')]);
  const near = net.connect(portOf(front), '127.0.0.1');
  const [entry] = (await once(front, 'connection')) as [net.Socket];
  const exit = net.connect(portOf(back), '127.0.0.1');
  const [far] = (await once(back, 'connection')) as [net.Socket];
  front.close();
  back.close();
  const sockets = [near, entry, exit, far];
  for (const socket of sockets) {
    socket.setNoDelay(true);
    socket.on('error', () => {}); // the link may be closed while the other side still sends
  }
  delay(entry, exit, link);
  delay(exit, entry, link);
  return {
    near,
    far,
    [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      return Promise.resolve();
    },
  };
}

/** Each chunk waits for those before it at the link's speed, then for the delay. A single timer keeps them in order. */
function delay(from: net.Socket, to: net.Socket, link: { oneWayMs: number; bytesPerSecond: number }): void {
  const capacityBytes = (QUEUES * link.bytesPerSecond * link.oneWayMs) / 1000;
  const waiting: { chunk: Buffer | 'end'; dueMs: number }[] = [];
  let freeAtMs = 0;
  let heldBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  function hold(chunk: Buffer | 'end'): void {
    freeAtMs = Math.max(freeAtMs, performance.now()) + (chunk.length / link.bytesPerSecond) * 1000;
    waiting.push({ chunk, dueMs: freeAtMs + link.oneWayMs });
    timer ??= setTimeout(release, link.oneWayMs);
  }
  function release(): void {
    const monotonicMs = performance.now();
    while (waiting[0] !== undefined && waiting[0].dueMs <= monotonicMs) {
      const { chunk } = waiting.shift()!; // the loop's condition has checked it
      if (chunk === 'end') to.end();
      else {
        heldBytes -= chunk.length;
        to.write(chunk);
      }
    }
    if (heldBytes <= capacityBytes) from.resume();
    timer = waiting[0] && setTimeout(release, waiting[0].dueMs - monotonicMs);
  }
  from.on('data', (chunk: Buffer) => {
    heldBytes += chunk.length;
    if (heldBytes > capacityBytes) from.pause();
    hold(chunk);
  });
  from.on('end', () => hold('end'));
}

function portOf(server: net.Server): number {
  return (server.address() as net.AddressInfo).port; // it listens on TCP
}
