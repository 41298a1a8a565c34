import { findServerPid, residentBytes } from '../../e2e/support/processes.ts';
import type { Product } from '../../e2e/support/product.ts';

/** Resident bytes of the process that the relay runs in. */
export async function relayMemory(product: Product): Promise<number> {
  return await residentBytes(await findServerPid(product.child.pid));
}
