import type { AddressInfo } from 'node:net';
import { appHandlers, type RunningGateway, startGateway } from '@tongtu/gateway';
import pino from 'pino';
import type { FromGateway, ToGateway } from './gateway/gateway-messages.ts';
import { watchDescriptors } from './watch-descriptors.ts';

const BEAT_EVERY_MS = 1_000;

let gateway: RunningGateway | undefined;
let relayPorts: number[] = [];

// The gateway in its own process: what the protocols of any device cost or break stays apart from API and relays.
process.on('message', (message: ToGateway) => {
  switch (message.type) {
    case 'start':
      void start(message);
      return;
    case 'relays':
      relayPorts = message.ports;
      gateway?.setRelayPorts(relayPorts);
      return;
    case 'server':
      gateway?.onServerMessage(message.message);
  }
});
setInterval(() => send({ type: 'beat' }), BEAT_EVERY_MS).unref();
// Ctrl+C and systemd signal every process. The main process decides what it means, and ends this one by disconnecting.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.once('disconnect', () => {
  void stop();
});

async function start({ port, gatewaySecret, logLevel }: Extract<ToGateway, { type: 'start' }>): Promise<void> {
  const log = pino({ level: logLevel }, pino.destination({ fd: 2, sync: true })).child({ part: 'gateway' });
  watchDescriptors(log);
  try {
    gateway = await startGateway(
      { listen: { port }, gatewaySecret, send: (message) => send({ type: 'server', message }) },
      appHandlers,
      log,
    );
  } catch (err) {
    log.error({ err }, 'the gateway did not start');
    process.exit(1);
  }
  gateway.setRelayPorts(relayPorts);
  const address = gateway.server.address() as AddressInfo; // it listens on TCP
  send({ type: 'listening', port: address.port });
}

async function stop(): Promise<void> {
  await gateway?.[Symbol.asyncDispose]();
  process.exit(0);
}

function send(message: FromGateway): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {}); // the main process may have ended
}
