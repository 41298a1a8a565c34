import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The memory of this process for live objects and buffers, after a garbage collection. */
export function heldBytes(): number {
  collect();
  // Buffers are freed beside the process, which goes on meanwhile. The next collection begins by waiting for that.
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
