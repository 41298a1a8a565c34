import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const BEAT_EVERY_MS = 1_000;
/** A slow router loads an agent for many seconds, during which its event loop stands still. */
const MAX_MISSED_BEATS = 60;

/**
 * Runs in a thread of its own, which goes on while the event loop of the agent is blocked. The heap of such a thread
 * takes a few MB. Ticks are counted, because a clock would also count the time of a suspended machine.
 */
const WATCHER = `
const { parentPort, workerData: { beats, maxMissed, everyMs } } = require('node:worker_threads');
let seen = 0, missed = 0;
setInterval(() => {
  const now = Atomics.load(beats, 0);
  missed = now === seen ? missed + 1 : 0;
  seen = now;
  if (missed > maxMissed) process.kill(process.pid, 'SIGKILL');
}, everyMs);
parentPort.postMessage('watching');
`;

/** Kills this process when its event loop stands still for too long, until disposed. Resolves when the watch has begun. */
export async function watchEventLoop({
  maxMissed = MAX_MISSED_BEATS,
  everyMs = BEAT_EVERY_MS,
} = {}): Promise<Disposable> {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const beating = setInterval(() => Atomics.add(beats, 0, 1), everyMs).unref();
  // Not the options of this process, which may have another type of module.
  const watcher = new Worker(WATCHER, { eval: true, execArgv: [], workerData: { beats, maxMissed, everyMs } });
  // Without it, for example without memory for a thread, the agent runs all the same.
  await Promise.race([once(watcher, 'message'), once(watcher, 'exit')]).catch(() => {});
  watcher.on('error', () => {});
  watcher.unref();
  return {
    [Symbol.dispose]() {
      clearInterval(beating);
      void watcher.terminate();
    },
  };
}
