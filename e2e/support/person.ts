import { createPerson as createPersonIn } from '@tongtu/server/testing/installation';
import { loadSecrets } from '@tongtu/stack/secrets';
import { inDatabase } from './product/database.ts';
import type { Product } from './product/product.ts';

/**
 * Another account of the same service that has proven this e-mail address; its password is the administrator's. Returns
 * its id.
 */
export async function createPerson(product: Product, person: { account: string; email?: string }): Promise<number> {
  const { sealingKey } = await loadSecrets(product.dataDir);
  return await inDatabase(product, async (db) => await createPersonIn(db, { ...person, sealingKey }));
}
