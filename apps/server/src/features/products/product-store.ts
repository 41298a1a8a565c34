import type { ProductCreate, ProductPatch } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import type { PlanTerms } from '../plans/index.ts';

export type ProductRow = PlanTerms & {
  description: string;
  listed: boolean;
  position: number;
  updatedAt: Date;
};
export type BulkTierRow = { from: number; percent: number };
export type BulkProductRow = { id: number; listed: boolean; product: ProductRow; tiers: BulkTierRow[] };
type Page = { limit: number; offset: number };
type Listing = Page & { onlyListed: boolean };

function selectProducts(db: Db) {
  return db
    .selectFrom('product')
    .select(['product.id as productId', 'product.name as productName', 'product.description', 'product.days'])
    .select(['product.bandwidthBps', 'product.mappingLimit', 'product.appKinds', 'product.priceFen'])
    .select(['product.listed', 'product.position', 'product.updatedAt']);
}

/** Paid orders of each product. Not part of a product's row, because counting them takes a while. */
export async function countSold(db: Db, productIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('productOrder')
    .where((eb) => eb('productId', '=', eb.fn.any(sql<number[]>`${productIds}::integer[]`)))
    .where('paidAt', 'is not', null)
    .groupBy('productId')
    .select((eb) => ['productId', eb.fn.countAll<number>().as('count')])
    .execute();
  return new Map(rows.map(({ productId, count }) => [productId, count]));
}

export async function listProducts(
  db: Db,
  { limit, offset, onlyListed }: Listing,
): Promise<{ count: number; products: ProductRow[] }> {
  const { count } = await db
    .selectFrom('product')
    .$if(onlyListed, (query) => query.where('listed', '=', true))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const products = await selectProducts(db)
    .$if(onlyListed, (query) => query.where('product.listed', '=', true))
    .orderBy('product.position')
    .orderBy('product.id')
    .limit(limit)
    .offset(offset)
    .execute();
  return { count, products };
}

export async function findProduct(db: Db, id: number): Promise<ProductRow | undefined> {
  return await selectProducts(db).where('product.id', '=', id).executeTakeFirst();
}

/** Returns the id. */
export async function insertProduct(db: Db, product: ProductCreate): Promise<number> {
  const { id } = await db.insertInto('product').values(valuesOf(product)).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function updateProduct(db: Db, id: number, patch: ProductPatch): Promise<void> {
  await db
    .updateTable('product')
    .set({ ...definedOf(patch), updatedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** Nobody else changes the product until the transaction ends. */
export async function lockProduct(tx: Db, id: number): Promise<void> {
  await tx.selectFrom('product').where('id', '=', id).select('id').forUpdate().execute();
}

/** Inserts these products unless there is any. */
export async function insertFirstProducts(tx: Db, products: readonly ProductCreate[]): Promise<void> {
  await sql`lock table product in exclusive mode`.execute(tx);
  const present = await tx.selectFrom('product').select('id').limit(1).executeTakeFirst();
  if (present) return;
  await tx.insertInto('product').values(products.map(valuesOf)).execute();
}

function valuesOf({ bandwidth_bps, mapping_limit, app_kinds, price_fen, ...product }: ProductCreate) {
  return {
    ...product,
    bandwidthBps: bandwidth_bps,
    mappingLimit: mapping_limit,
    appKinds: app_kinds,
    priceFen: price_fen,
  };
}

function definedOf(patch: ProductPatch) {
  const { name, description, days, listed, position } = patch;
  const all = {
    ...{ name, description, days, listed, position },
    bandwidthBps: patch.bandwidth_bps,
    mappingLimit: patch.mapping_limit,
    appKinds: patch.app_kinds,
    priceFen: patch.price_fen,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Only those of which the product is listed, too, where `onlyListed`. */
export async function listBulkProducts(
  db: Db,
  { limit, offset, onlyListed }: Listing,
): Promise<{ count: number; bulkProducts: BulkProductRow[] }> {
  const all = db
    .selectFrom('bulkProduct')
    .innerJoin('product', 'product.id', 'bulkProduct.productId')
    .$if(onlyListed, (query) => query.where('bulkProduct.listed', '=', true).where('product.listed', '=', true));
  const { count } = await all.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  const rows = await all
    .select(['bulkProduct.id', 'bulkProduct.listed', 'bulkProduct.productId'])
    .orderBy('product.position')
    .orderBy('bulkProduct.id')
    .limit(limit)
    .offset(offset)
    .execute();
  return { count, bulkProducts: await addProducts(db, rows) };
}

export async function findBulkProduct(db: Db, id: number): Promise<BulkProductRow | undefined> {
  const rows = await db.selectFrom('bulkProduct').where('id', '=', id).select(['id', 'listed', 'productId']).execute();
  return (await addProducts(db, rows))[0];
}

async function addProducts(
  db: Db,
  rows: { id: number; listed: boolean; productId: number }[],
): Promise<BulkProductRow[]> {
  const products = await selectProducts(db)
    .where((eb) => eb('product.id', '=', eb.fn.any(sql<number[]>`${rows.map((row) => row.productId)}::integer[]`)))
    .execute();
  const tiers = await db
    .selectFrom('bulkTier')
    .where((eb) => eb('bulkProductId', '=', eb.fn.any(sql<number[]>`${rows.map((row) => row.id)}::integer[]`)))
    .orderBy('fromQuantity')
    .select(['bulkProductId', 'fromQuantity as from', 'percent'])
    .execute();
  return rows.flatMap(({ id, listed, productId }) => {
    const product = products.find((one) => one.productId === productId);
    const own = tiers.filter((tier) => tier.bulkProductId === id).map(({ from, percent }) => ({ from, percent }));
    return product === undefined ? [] : [{ id, listed, product, tiers: own }];
  });
}

/** Throws the error of the constraint `bulk_product_product_id_key`. Returns the id. */
export async function insertBulkProduct(tx: Db, row: { productId: number; listed: boolean }): Promise<number> {
  const { id } = await tx.insertInto('bulkProduct').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function setBulkListed(tx: Db, id: number, listed: boolean): Promise<void> {
  await tx.updateTable('bulkProduct').set({ listed }).where('id', '=', id).execute();
}

export async function replaceTiers(tx: Db, bulkProductId: number, tiers: readonly BulkTierRow[]): Promise<void> {
  await tx.deleteFrom('bulkTier').where('bulkProductId', '=', bulkProductId).execute();
  const rows = tiers.map(({ from, percent }) => ({ bulkProductId, fromQuantity: from, percent }));
  await tx.insertInto('bulkTier').values(rows).execute();
}
