import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the range of ephemeral ports (Linux from 32768, macOS from 49152): the system may assign any of those before
// the program that the port was picked for binds it. Above 20000 are the ports of mappings.
const [FIRST, END] = [10_000, 20_000];
/** Each test process picks from a range of its own, so that two do not pick the same port. */
const SLICES = 8;
const SLICE = (END - FIRST) / SLICES;
const sliceStart = FIRST + SLICE * (Number(process.env['VITEST_POOL_ID'] ?? 0) % SLICES);

let next = randomInt(SLICE);

/** A range of consecutive ports that nobody listens on and that this process has not picked lately. */
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

/** A port to listen on, or to find closed. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port as number; // the range has one port
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port);
  try {
    await once(server, 'listening');
  } catch {
    return false; // whatever the error, the port is not available
  }
  await new Promise((resolve) => server.close(resolve));
  return true;
}
