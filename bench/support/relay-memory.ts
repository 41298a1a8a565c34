import { readFile } from 'node:fs/promises';
import { findProcesses, findServerPid, residentBytes } from '../../e2e/support/product/processes.ts';
import type { Product } from '../../e2e/support/product/product.ts';

/** Resident bytes of all relay processes together. */
export async function relayMemory(product: Product): Promise<number> {
  const server = await findServerPid(product.child.pid);
  let bytes = 0;
  for (const { pid } of await findProcesses('stack/src/relay-process.ts')) {
    if ((await parentOf(pid)) === server) bytes += await residentBytes(pid);
  }
  if (bytes === 0) throw new Error(`process ${server} has no relay processes`);
  return bytes;
}

async function parentOf(pid: number): Promise<number> {
  return Number(/^PPid:\s+(\d+)$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
