import type { Socket } from 'node:net';
import { setDefaultHighWaterMark } from 'node:stream';
import { preferYoungCollections } from '@tongtu/base';
import { appHandlers, type RunningGateway, startGateway } from '@tongtu/gateway';
import pino from 'pino';
import type { FromGateway, ToGateway } from './gateway/gateway-messages.ts';
import { watchDescriptors } from './watch-descriptors.ts';

const BEAT_EVERY_MS = 1_000;
/** From 25 MB on. A transfer of files allocates as many bytes as it carries. */
const HEAP_GROWTH_PERCENT = 200;
/** Of each stream. With the 64 KB of Node.js a download over WebDAV waits so often that it has 0.85 of the speed. */
const BUFFERED_BYTES = 256 * 1024;

setDefaultHighWaterMark(false, BUFFERED_BYTES);

let gateway: RunningGateway | undefined;

// The gateway in its own process: what the protocols of any device cost or break stays apart from API and relays.
process.on('message', (message: ToGateway, socket?: Socket) => {
  switch (message.type) {
    case 'start':
      gateway = start(message);
      return;
    case 'relays':
      return gateway?.setRelayPorts(message.ports);
    case 'connection':
      if (socket !== undefined) gateway?.accept(socket); // it may have closed on its way
      return send({ type: 'accepted', id: message.id });
    case 'server':
      gateway?.onServerMessage(message.message);
  }
});
setInterval(() => send({ type: 'beat' }), BEAT_EVERY_MS).unref();
// Ctrl+C and systemd signal every process. The main process decides what it means, and ends this one by disconnecting.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.once('disconnect', () => {
  gateway?.[Symbol.dispose]();
  process.exit(0);
});

function start({ gatewaySecret, logLevel }: Extract<ToGateway, { type: 'start' }>): RunningGateway {
  preferYoungCollections({ heapGrowthPercent: HEAP_GROWTH_PERCENT });
  const log = pino({ level: logLevel }, pino.destination({ fd: 2, sync: true })).child({ part: 'gateway' });
  watchDescriptors(log);
  return startGateway({ gatewaySecret, send: (message) => send({ type: 'server', message }) }, appHandlers, log);
}

function send(message: FromGateway): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {}); // the main process may have ended
}
