import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { watchDescriptors } from '../watch-descriptors.ts';

// A listener in a process with few file descriptors. One visitor connects while none is left, one when some are free.
const log = pino({}, pino.destination({ fd: 1, sync: true }));
using _watch = watchDescriptors(log, { everyMs: 10 });
const server = net.createServer((socket) => {
  log.info('accepted');
  socket.end();
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo; // it listens on TCP

const files = openAll();
closeSync(files.pop()!); // for the visitor's own end
await visit();
files.push(...openAll());
await delay(100); // for ten probes
for (const file of files) closeSync(file);
await visit();
server.close();

async function visit(): Promise<void> {
  const visitor = net.connect(port, '127.0.0.1').resume();
  await once(visitor, 'close');
  log.info('the visitor is closed');
}

function openAll(): number[] {
  const opened: number[] = [];
  try {
    for (;;) opened.push(openSync('/dev/null', 'r'));
  } catch {
    return opened; // none is left
  }
}
