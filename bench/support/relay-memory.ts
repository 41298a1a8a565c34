import { readFile } from 'node:fs/promises';
import { findProcesses, findServerPid, residentBytes } from '../../e2e/support/product/processes.ts';
import type { Product } from '../../e2e/support/product/product.ts';

/** Resident bytes of all relay processes together. */
export async function relayMemory(product: Product): Promise<number> {
  let bytes = 0;
  for (const pid of await relayPids(product)) bytes += await residentBytes(pid);
  return bytes;
}

/** The processor time that all relay processes together have used, in clock ticks. */
export async function relayTicks(product: Product): Promise<number> {
  let ticks = 0;
  for (const pid of await relayPids(product)) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // After the name in parentheses, which may contain spaces: user and system time are fields 14 and 15 (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks;
}

async function relayPids(product: Product): Promise<number[]> {
  const server = await findServerPid(product.child.pid);
  const pids: number[] = [];
  for (const { pid } of await findProcesses('stack/dist/relay-process.js')) {
    if ((await parentOf(pid)) === server) pids.push(pid);
  }
  if (pids.length === 0) throw new Error(`process ${server} has no relay processes`);
  return pids;
}

async function parentOf(pid: number): Promise<number> {
  return Number(/^PPid:\s+(\d+)$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
