import path from 'node:path';
import { forgetLimits as forgetLimitsIn, openInstallation, type Db } from '@tongtu/server/testing/installation';
import type { Product } from './product.ts';

export type ProductDatabase = AsyncDisposable & { db: Db };

/** Opens the product's own database beside the product. What is done there is the server package's to say. */
export async function openDatabase({ dataDir }: Product): Promise<ProductDatabase> {
  return await openInstallation({ embeddedDir: path.join(dataDir, 'postgres') });
}

/** The same for one thing that no call of the product can bring about in a test. */
export async function inDatabase<T>(product: Product, act: (db: Db) => Promise<T>): Promise<T> {
  await using database = await openDatabase(product);
  return await act(database.db);
}

/** All browsers of the tests have one address: what some of them have used up must not count against the others. */
export async function forgetLimits(product: Product): Promise<void> {
  await inDatabase(product, forgetLimitsIn);
}
