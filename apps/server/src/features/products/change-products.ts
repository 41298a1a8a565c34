import { AppError, type ProductCreate, type ProductPatch } from '@tongtu/contract';
import { must } from '@tongtu/base';
import { isUniqueViolation } from '../../db/constraint.ts';
import type { Db } from '../../db/driver.ts';
import { type AuditActor, recordAuditEntry } from '../audit/index.ts';
import * as store from './product-store.ts';

/** Creates a product. */
export async function createProduct(db: Db, actor: AuditActor, product: ProductCreate): Promise<store.ProductRow> {
  return await db.transaction().execute(async (tx) => {
    const id = await store.insertProduct(tx, product);
    const row = must(await store.findProduct(tx, id), 'the new product');
    await audit(tx, actor, { action: 'product.created', row });
    return row;
  });
}

/** Changes a product. What was sold keeps its terms. Throws product.not-found. */
export async function changeProduct(
  db: Db,
  actor: AuditActor,
  { id, patch }: { id: number; patch: ProductPatch },
): Promise<store.ProductRow> {
  return await db.transaction().execute(async (tx) => {
    await store.lockProduct(tx, id);
    const before = await store.findProduct(tx, id);
    if (before === undefined) throw new AppError('product.not-found');
    await store.updateProduct(tx, id, patch);
    const row = must(await store.findProduct(tx, id), 'the locked product');
    await audit(tx, actor, { action: 'product.changed', row, before });
    return row;
  });
}

/** Throws product.not-found, bulk-product.exists. */
export async function createBulkProduct(
  db: Db,
  actor: AuditActor,
  input: { productId: number; tiers: store.BulkTierRow[]; listed: boolean },
): Promise<store.BulkProductRow> {
  try {
    return await db.transaction().execute(async (tx) => {
      const { productId, tiers, listed } = input;
      if (!(await store.findProduct(tx, productId))) throw new AppError('product.not-found');
      const id = await store.insertBulkProduct(tx, { productId, listed });
      await store.replaceTiers(tx, id, tiers);
      const row = must(await store.findBulkProduct(tx, id), 'the new bulk product');
      await auditBulk(tx, actor, { action: 'bulk-product.created', row });
      return row;
    });
  } catch (cause) {
    if (!isUniqueViolation(cause, 'bulk_product_product_id_key')) throw cause;
    throw new AppError('bulk-product.exists', { cause });
  }
}

/** Throws product.not-found. */
export async function changeBulkProduct(
  db: Db,
  actor: AuditActor,
  { id, tiers, listed }: { id: number; tiers: store.BulkTierRow[] | undefined; listed: boolean | undefined },
): Promise<store.BulkProductRow> {
  return await db.transaction().execute(async (tx) => {
    const before = await store.findBulkProduct(tx, id);
    if (before === undefined) throw new AppError('product.not-found');
    await store.lockProduct(tx, before.product.productId);
    if (listed !== undefined) await store.setBulkListed(tx, id, listed);
    if (tiers !== undefined) await store.replaceTiers(tx, id, tiers);
    const row = must(await store.findBulkProduct(tx, id), 'the bulk product');
    await auditBulk(tx, actor, { action: 'bulk-product.changed', row, before });
    return row;
  });
}

type Change<Row> = { action: string; row: Row; before?: Row };

async function audit(tx: Db, actor: AuditActor, { action, row, before }: Change<store.ProductRow>): Promise<void> {
  const object = { type: 'product', id: row.productId, name: row.productName };
  await recordAuditEntry(tx, actor, {
    action,
    object,
    ...(before && { before: factsOf(before) }),
    after: factsOf(row),
  });
}

async function auditBulk(
  tx: Db,
  actor: AuditActor,
  { action, row, before }: Change<store.BulkProductRow>,
): Promise<void> {
  const object = { type: 'bulk-product', id: row.id, name: row.product.productName };
  const facts = ({ listed, tiers }: store.BulkProductRow) => ({ listed, tiers });
  await recordAuditEntry(tx, actor, { action, object, ...(before && { before: facts(before) }), after: facts(row) });
}

function factsOf({ productId: _id, updatedAt: _at, ...facts }: store.ProductRow) {
  return facts;
}
