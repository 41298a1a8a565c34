import { flushCompileCache } from 'node:module';
import { preferYoungCollections } from '@tongtu/base';
import { createConsoleHostTest, type RunningRelay, startRelay } from '@tongtu/relay';
import pino from 'pino';
import { BEAT_EVERY_MS, type FromRelay, type ToRelay } from './relay-messages.ts';
import { watchDescriptors } from './watch-descriptors.ts';

const TELL_DEVICES_EVERY_MS = 250;
/** From 15 MB on, and more with many devices: to four times of it, which is as far as V8 goes by itself. */
const HEAP_GROWTH_PERCENT = 300;

let relay: Promise<RunningRelay> | undefined;
let isTerminating = false;

/** One relay, in a process of its own so that its end is nobody else's. Node ends it when the one that started it is gone. */
process.on('message', (message: ToRelay) => {
  if (message.type === 'stop') return stop((running) => running[Symbol.asyncDispose]());
  relay = start(message);
  relay.catch(fail);
});
// The primary process replaces this one when it receives no beat for a while.
setInterval(() => tell({ type: 'beat' }), BEAT_EVERY_MS).unref();
// Ctrl+C reaches every process of a terminal; whoever started this one decides what it means.
process.on('SIGINT', () => {});
// It comes together with a `stop` when systemd signals all processes of a service; only its repetition is impatience.
process.on('SIGTERM', () => {
  if (isTerminating) process.exit(1);
  isTerminating = true;
  stop((running) => running.handOver());
});

async function start({ config, logLevel }: Extract<ToRelay, { type: 'start' }>): Promise<RunningRelay> {
  preferYoungCollections({ heapGrowthPercent: HEAP_GROWTH_PERCENT });
  const log = pino({ level: logLevel }, pino.destination({ fd: 2, sync: true }));
  const relayLog = log.child({ part: 'relay', relayId: config.relayId });
  watchDescriptors(relayLog);
  const { consoleNames, ...rest } = config;
  const running = await startRelay({ ...rest, isConsoleHost: createConsoleHostTest(consoleNames) }, relayLog);
  tell({ type: 'listening' });
  // Now rather than at the end: it may be killed, and the next one should be quick.
  flushCompileCache();
  running.whenReady().then(
    () => tell({ type: 'ready' }),
    () => {}, // stopped before
  );
  running.whenOpen().catch(fail);
  tellDevices(running);
  return running;
}

function tellDevices(running: RunningRelay): void {
  let told = 0;
  setInterval(() => {
    if (running.deviceCount !== told) tell({ type: 'devices', count: running.deviceCount });
    told = running.deviceCount;
  }, TELL_DEVICES_EVERY_MS).unref();
}

/** Stopping again with a shorter way replaces a longer one. */
function stop(how: (running: RunningRelay) => Promise<void> | PromiseLike<void>): void {
  if (relay === undefined) process.exit(0);
  relay.then(how).then(() => process.exit(0), fail);
}

function fail(error: Error & { code?: string; port?: number }): void {
  const { message, code, port } = error;
  tell({ type: 'failed', message, code, port }, () => process.exit(1));
}

function tell(message: FromRelay, onSent?: () => void): void {
  // The other side may be gone by now; then this process ends on its own.
  process.send?.(message, undefined, undefined, () => onSent?.());
}
