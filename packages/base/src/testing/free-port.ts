import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the ports that systems give to outgoing connections (Linux 32768 on, macOS 49152 on): any of those may be taken
// between here and the program that it was picked for. Above 20000 the product opens mappings.
const [FIRST, END] = [10_000, 20_000];
/** Each process that runs tests picks among its own, for the same reason. */
const SLICES = 8;
const SLICE = (END - FIRST) / SLICES;
const sliceStart = FIRST + SLICE * (Number(process.env['VITEST_POOL_ID'] ?? 0) % SLICES);

let next = randomInt(SLICE);

/** Ports in a row that nobody listens on, and that were not picked lately. */
export async function freePorts(count: number): Promise<number[]> {
  for (let attempts = 0; attempts < SLICE; attempts++) {
    if (next + count > SLICE) next = 0;
    const row = Array.from({ length: count }, (_, index) => sliceStart + next + index);
    next += count;
    const areFree = await Promise.all(row.map(isFree));
    if (areFree.every(Boolean)) return row;
  }
  throw new Error('no free ports');
}

/** One of them, to listen on or to find closed. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port as number; // one was asked for
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port);
  try {
    await once(server, 'listening');
  } catch {
    return false; // of whatever reason, it is not to be had
  }
  await new Promise((resolve) => server.close(resolve));
  return true;
}
