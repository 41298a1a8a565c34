import { randomUUID } from 'node:crypto';
import type { CloudAppKind, ProductCreate } from '@tongtu/contract';
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

/** Inserts a paid order with its plan. Returns the plan's id. */
export async function insertPlan(
  db: Db,
  plan: {
    userId: number;
    deviceId?: number | null;
    productId: number;
    endsAt?: Date;
    mappingLimit?: number;
    appKinds?: CloudAppKind[];
    priceFen?: number;
  },
): Promise<number> {
  const { userId, deviceId = null, productId, endsAt = new Date(Date.now() + 86_400_000) } = plan;
  const { mappingLimit = 12, appKinds = ['ssh'], priceFen = 2_600 } = plan;
  const terms = {
    productId,
    productName: '标准版',
    days: 365,
    bandwidthBps: 4_000_000,
    mappingLimit,
    appKinds,
    priceFen,
  };
  const paidAt = new Date();
  const order = {
    number: `T${randomUUID()}`,
    userId,
    kind: 'new',
    status: 'paid',
    amountFen: priceFen,
    deviceId,
  } as const;
  const { id } = await db
    .insertInto('productOrder')
    .values({ ...order, ...terms, closesAt: paidAt, paidAt })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('plan')
    .values({ id, userId, deviceId, ...terms, startsAt: new Date('2020-01-01'), endsAt })
    .execute();
  return id;
}

/** Inserts an order that waits for its payment. */
export async function insertOpenOrder(db: Db, userId: number): Promise<void> {
  const terms = {
    productName: '标准版',
    days: 365,
    bandwidthBps: 4_000_000,
    mappingLimit: 12,
    appKinds: [],
    priceFen: 26,
  };
  const productId = await insertProduct(db);
  const order = { number: `T${randomUUID()}`, userId, kind: 'new', status: 'open', amountFen: 26, productId } as const;
  const closesAt = new Date(Date.now() + 86_400_000);
  await db
    .insertInto('productOrder')
    .values({ ...order, ...terms, closesAt })
    .execute();
}
