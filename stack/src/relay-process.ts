import { flushCompileCache } from 'node:module';
import { preferYoungCollections } from '@tongtu/base';
import { createConsoleHostTest, type RunningRelay, startRelay } from '@tongtu/relay';
import pino from 'pino';
import { BEAT_EVERY_MS, type FromRelay, type ToRelay } from './relays/relay-messages.ts';
import { watchDescriptors } from './watch-descriptors.ts';

const REPORT_DEVICES_EVERY_MS = 250;
/** From 15 MB on, and more with many devices: to four times of it, which is as far as V8 goes by itself. */
const HEAP_GROWTH_PERCENT = 300;

let relay: Promise<RunningRelay> | undefined;
let isTerminating = false;

// One relay in its own process, so that a crash ends no other. Node ends it when the main process has ended.
process.on('message', (message: ToRelay) => {
  switch (message.type) {
    case 'start':
      relay = start(message);
      relay.catch(fail);
      return;
    case 'open':
      return void relay?.then(
        (running) => running.endWarmUp(),
        () => {},
      ); // `fail` reports the error
    case 'hand-over':
      return stop((running) => running.handOver());
    case 'stop':
      return stop((running) => running[Symbol.asyncDispose]());
  }
});
// The primary process replaces this one when it receives no beat for a while.
setInterval(() => send({ type: 'beat' }), BEAT_EVERY_MS).unref();
// Ctrl+C reaches every process of a terminal. The main process decides what it means.
process.on('SIGINT', () => {});
// systemd signals all processes of a service, so the first SIGTERM may come together with a `stop`. A second one
// demands an immediate exit. The main process says when this one may stop, so that others serve visitors meanwhile.
process.on('SIGTERM', () => {
  if (isTerminating) process.exit(1);
  isTerminating = true;
  if (relay === undefined) process.exit(0);
  send({ type: 'wants-to-hand-over' });
});

async function start({ config, logLevel }: Extract<ToRelay, { type: 'start' }>): Promise<RunningRelay> {
  preferYoungCollections({ heapGrowthPercent: HEAP_GROWTH_PERCENT });
  const log = pino({ level: logLevel }, pino.destination({ fd: 2, sync: true }));
  const relayLog = log.child({ part: 'relay', relayId: config.relayId });
  watchDescriptors(relayLog);
  const { consoleNames, ...rest } = config;
  const running = await startRelay({ ...rest, isConsoleHost: createConsoleHostTest(consoleNames) }, relayLog);
  send({ type: 'listening', gatewayPort: running.gatewayPort });
  // At the start, because a killed process could not do it at its end. The next process then starts faster.
  flushCompileCache();
  running.whenReady().then(
    () => send({ type: 'ready' }),
    () => {}, // stopped before
  );
  running.whenOpen().then(() => send({ type: 'opened' }), fail);
  reportDeviceCount(running);
  return running;
}

function reportDeviceCount(running: RunningRelay): void {
  let reported = 0;
  setInterval(() => {
    if (running.deviceCount !== reported) send({ type: 'devices', count: running.deviceCount });
    reported = running.deviceCount;
  }, REPORT_DEVICES_EVERY_MS).unref();
}

/** May be called again: a shorter way to stop overtakes a longer one. */
function stop(how: (running: RunningRelay) => Promise<void> | PromiseLike<void>): void {
  if (relay === undefined) process.exit(0);
  relay.then(how).then(() => process.exit(0), fail);
}

function fail(error: Error & { code?: string; port?: number }): void {
  const { message, code, port } = error;
  send({ type: 'failed', message, code, port }, () => process.exit(1));
}

function send(message: FromRelay, onSent?: () => void): void {
  // The main process may have ended; then Node ends this one.
  process.send?.(message, undefined, undefined, () => onSent?.());
}
