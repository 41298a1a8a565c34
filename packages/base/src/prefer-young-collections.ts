import { setFlagsFromString } from 'node:v8';

/**
 * For the whole process: how much its heap may grow, in percent of what is alive, before V8 looks through all of it. V8
 * counts every buffer that a socket was read into as such growth, although it goes with the next collection of the
 * youngest objects, and lets a small heap grow by little: a download had it marked on several threads for each 25 MB,
 * with pauses of 10 ms, for 40 % of the CPU time of relay and agent. Some 50 MB are enough for that to end.
 */
export function preferYoungCollections({ heapGrowthPercent }: { heapGrowthPercent: number }): void {
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`);
}
