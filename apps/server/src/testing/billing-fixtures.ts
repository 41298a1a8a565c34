import type { ProductCreate } from '@tongtu/contract';
import { PAYMENT_TERMS_VERSION } from '@tongtu/contract';
import type { Db } from '../db/driver.ts';

/** Inserts a product for sale: 标准版 unless given otherwise. Returns its id. */
export async function insertProduct(db: Db, product: Partial<ProductCreate> = {}): Promise<number> {
  const { id } = await db
    .insertInto('product')
    .values({
      name: product.name ?? '标准版',
      days: product.days ?? 365,
      bandwidthBps: product.bandwidth_bps ?? 4_000_000,
      mappingLimit: product.mapping_limit ?? 12,
      appKinds: product.app_kinds ?? ['ssh', 'vnc'],
      priceFen: product.price_fen ?? 2_600,
      listed: product.listed ?? true,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function acceptPaymentTerms(db: Db, userId: number): Promise<void> {
  const paymentTerms = { paymentTermsVersion: PAYMENT_TERMS_VERSION, paymentTermsAcceptedAt: new Date() };
  await db.updateTable('userAccount').set(paymentTerms).where('id', '=', userId).execute();
}
