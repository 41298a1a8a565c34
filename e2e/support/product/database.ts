import path from 'node:path';
import { forgetLimits as forgetLimitsIn, openInstallation, type Db } from '@tongtu/server/testing/installation';
import type { Product } from './product.ts';

export type ProductDatabase = AsyncDisposable & { db: Db };

/** Opens the product's database. Only the server package's functions use it. */
export async function openDatabase({ dataDir }: Product): Promise<ProductDatabase> {
  return await openInstallation({ embeddedDir: path.join(dataDir, 'postgres') });
}

/** Opens it for one action that no call of the product can cause. */
export async function inDatabase<T>(product: Product, act: (db: Db) => Promise<T>): Promise<T> {
  await using database = await openDatabase(product);
  return await act(database.db);
}

/** All browsers of the tests share one address, so a limit that one has used up must not block the others. */
export async function forgetLimits(product: Product): Promise<void> {
  await inDatabase(product, forgetLimitsIn);
}
