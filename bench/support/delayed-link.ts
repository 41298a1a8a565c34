import { once } from 'node:events';
import net from 'node:net';

export type DelayedLink = AsyncDisposable & { near: net.Socket; far: net.Socket };

/** As much as a long way of this speed holds, and a router's queue of the same size before it. */
const QUEUES = 2;

/** Two TCP sockets whose bytes arrive late and at a limited speed, both ways, in order and without loss. */
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
    socket.on('error', () => {}); // the link is torn down under whoever still sends
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

/** Each chunk waits for those before it at the link's speed, then for the way itself. */
function delay(from: net.Socket, to: net.Socket, link: { oneWayMs: number; bytesPerSecond: number }): void {
  const capacityBytes = (QUEUES * link.bytesPerSecond * link.oneWayMs) / 1000;
  let freeAtMs = 0;
  let heldBytes = 0;
  const later = (act: () => void) => setTimeout(act, freeAtMs + link.oneWayMs - performance.now());
  from.on('data', (chunk: Buffer) => {
    freeAtMs = Math.max(freeAtMs, performance.now()) + (chunk.length / link.bytesPerSecond) * 1000;
    heldBytes += chunk.length;
    if (heldBytes > capacityBytes) from.pause();
    later(() => {
      heldBytes -= chunk.length;
      if (heldBytes <= capacityBytes) from.resume();
      to.write(chunk);
    });
  });
  from.on('end', () => later(() => to.end()));
}

function portOf(server: net.Server): number {
  return (server.address() as net.AddressInfo).port; // it listens on TCP
}
