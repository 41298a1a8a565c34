import { createHome } from '@tongtu/server/testing/installation';
import { inDatabase } from '../product/database.ts';
import { createPerson } from '../person.ts';
import type { Product } from '../product/product.ts';

export type OtherTenant = {
  account: string;
  userId: number;
  deviceId: number;
  /** Of the device, as its agent would name it. */
  uid: string;
  mappingId: number;
  prefix: string;
};

/** Creates another account with a device and a mapping; its password is the administrator's. */
export async function createOtherTenant(
  product: Product,
  { account = 'othertenant', prefix = 'other-tenant' }: { account?: string; prefix?: string } = {},
): Promise<OtherTenant> {
  const userId = await createPerson(product, { account });
  const home = await inDatabase(product, async (db) => await createHome(db, { userId, prefix }));
  return { account, userId, ...home, prefix };
}
