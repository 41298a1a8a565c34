import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { z } from 'zod';

const EVERY_MS = 60_000;
/** Less is not worth a full collection, which takes some 10 ms on a small device. */
const WORTH_BYTES = 16_000_000;

const Collect = z.custom<(options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void>(
  (value) => typeof value === 'function',
);

type Watch = { readRss: () => number; collect: () => void };

/** Returns a function that collects when the process has grown by WORTH_BYTES since it was last small. */
export function createMemoryWatch({ readRss, collect }: Watch): () => void {
  let smallBytes = readRss();
  return () => {
    const bytes = readRss();
    if (bytes - smallBytes < WORTH_BYTES) {
      smallBytes = Math.min(smallBytes, bytes);
      return;
    }
    collect();
    // What is left is in use, or lies where the allocator cannot return it: collecting again would change nothing.
    smallBytes = readRss();
  };
}

/**
 * Looks once a minute whether a burst of traffic has left memory behind, and gives it back to the system. V8 collects
 * old objects only when it allocates, so without this an idle agent keeps the buffers of its last download.
 */
export function giveBackMemory(): void {
  const watch = createMemoryWatch({ readRss: () => process.memoryUsage.rss(), collect: createCollector() });
  setInterval(watch, EVERY_MS).unref();
}

function createCollector(): () => void {
  let collect: z.infer<typeof Collect> | undefined;
  return () => {
    if (collect === undefined) {
      setFlagsFromString('--expose-gc');
      collect = Collect.parse(runInNewContext('gc'));
    }
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  };
}
