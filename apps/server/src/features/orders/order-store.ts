import type { OrderKind, OrderStatus } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import type { PlanTerms } from '../plans/index.ts';

export type OrderRow = PlanTerms & {
  id: number;
  number: string;
  userId: number | null;
  uuidFromClient: string | null;
  kind: OrderKind;
  status: OrderStatus;
  quantity: number;
  amountFen: number;
  refundedFen: number;
  deviceId: number | null;
  planId: number | null;
  placeId: number | null;
  replacedTerms: PlanTerms | null;
  createdAt: Date;
  closesAt: Date;
  paidAt: Date | null;
};

const orderColumns = [
  ...(['id', 'number', 'userId', 'uuidFromClient', 'kind', 'status', 'quantity', 'amountFen', 'refundedFen'] as const),
  ...(['deviceId', 'planId', 'placeId', 'createdAt', 'closesAt', 'paidAt'] as const),
  ...(['productId', 'productName', 'days', 'bandwidthBps', 'mappingLimit', 'appKinds', 'priceFen'] as const),
] as const;

function selectOrders(db: Db) {
  // Only upgrades have replaced terms, and only this feature writes them.
  return db
    .selectFrom('productOrder')
    .select(orderColumns)
    .select(sql<PlanTerms | null>`replaced_terms`.as('replacedTerms'));
}

export async function findOrder(db: Db, id: number): Promise<OrderRow | undefined> {
  return await selectOrders(db).where('id', '=', id).executeTakeFirst();
}

/** The newest first. */
export async function listOrdersById(db: Db, ids: readonly number[]): Promise<OrderRow[]> {
  return await selectOrders(db)
    .where(sql<boolean>`id = any(${ids}::integer[])`)
    .orderBy('id', 'desc')
    .execute();
}

/** The order of this user; of one of these kinds, where given. */
export async function findOwnOrder(
  db: Db,
  { id, userId }: { id: number; userId: number },
  kinds?: readonly OrderKind[],
): Promise<OrderRow | undefined> {
  return await selectOrders(db)
    .where('id', '=', id)
    .where('userId', '=', userId)
    .$if(kinds !== undefined, (query) => query.where('kind', 'in', kinds ?? []))
    .executeTakeFirst();
}

export async function findOrderByUuid(tx: Db, userId: number, uuid: string): Promise<OrderRow | undefined> {
  return await selectOrders(tx).where('userId', '=', userId).where('uuidFromClient', '=', uuid).executeTakeFirst();
}

/** The account is locked before, so that all who change one order come in one order. */
export async function lockOrder(tx: Db, id: number): Promise<OrderRow | undefined> {
  return await selectOrders(tx).where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function lockOpenOrdersOfUser(tx: Db, userId: number): Promise<number[]> {
  const open = tx.selectFrom('productOrder').where('userId', '=', userId).where('status', '=', 'open');
  const rows = await open.select('id').orderBy('id').forUpdate().execute();
  return rows.map(({ id }) => id);
}

export async function listOrdersOfUser(
  db: Db,
  userId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ count: number; orders: OrderRow[] }> {
  const { count } = await db
    .selectFrom('productOrder')
    .where('userId', '=', userId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const orders = await selectOrders(db)
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { count, orders };
}

export type NewOrder = {
  number: string;
  userId: number;
  uuidFromClient: string;
  kind: 'new' | 'renew' | 'upgrade' | 'bulk';
  terms: PlanTerms;
  quantity: number;
  amountFen: number;
  deviceId: number | null;
  planId: number | null;
  placeId: number | null;
  replacedTerms: PlanTerms | null;
};

export async function insertOrder(tx: Db, order: NewOrder, openHours: number): Promise<number> {
  const { terms, ...row } = order;
  const { id } = await tx
    .insertInto('productOrder')
    .values({ ...row, ...terms, status: 'open', closesAt: sql<Date>`now() + make_interval(hours => ${openHours})` })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function countOpenOrders(tx: Db, userId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('productOrder')
    .where('userId', '=', userId)
    .where('status', '=', 'open')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Free orders of the account in the last seven days. */
export async function countRecentFreeOrders(tx: Db, userId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('productOrder')
    .where('userId', '=', userId)
    .where('kind', '=', 'new')
    .where('priceFen', '=', 0)
    .where('paidAt', '>', sql<Date>`now() - interval '7 days'`)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function markPaid(tx: Db, id: number, planId: number | null): Promise<void> {
  await tx
    .updateTable('productOrder')
    .set({ status: 'paid', paidAt: sql<Date>`now()`, planId })
    .where('id', '=', id)
    .execute();
}

export async function markClosed(tx: Db, id: number): Promise<void> {
  await tx
    .updateTable('productOrder')
    .set({ status: 'closed', closedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** Adds to what was returned. The order is `refunded` when that is all of it. */
export async function addRefunded(tx: Db, id: number, amountFen: number): Promise<void> {
  await tx
    .updateTable('productOrder')
    .set({
      refundedFen: sql<number>`refunded_fen + ${amountFen}::integer`,
      status: sql<OrderStatus>`case when refunded_fen + ${amountFen}::integer = amount_fen then 'refunded' else status end`,
    })
    .where('id', '=', id)
    .execute();
}

/** Whether an upgrade of the order's plan was paid after it, and not returned. */
export async function hasLaterUpgrade(tx: Db, { id, planId }: { id: number; planId: number | null }): Promise<boolean> {
  if (planId === null) return false;
  const row = await tx
    .selectFrom('productOrder')
    .where('planId', '=', planId)
    .where('kind', '=', 'upgrade')
    .where('status', '=', 'paid')
    .where('id', '>', id)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Open orders whose time is over, the oldest first. */
export async function listOverdueOrderIds(db: Db, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('productOrder')
    .where('status', '=', 'open')
    .where('closesAt', '<=', sql<Date>`now()`)
    .orderBy('closesAt')
    .limit(limit)
    .select('id')
    .execute();
  return rows.map((row) => row.id);
}

/** Whether the account has accepted this version of the terms of payment, or a later one. */
export async function hasAcceptedTerms(tx: Db, userId: number, version: number): Promise<boolean> {
  const row = await tx
    .selectFrom('userAccount')
    .where('id', '=', userId)
    .where('paymentTermsVersion', '>=', version)
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the user may put keys into the place: its promoter, or staff. */
export async function maySellAt(tx: Db, placeId: number, user: { id: number; isStaff: boolean }): Promise<boolean> {
  const row = await tx.selectFrom('place').where('id', '=', placeId).select('promoterId').executeTakeFirst();
  return row !== undefined && (user.isStaff || row.promoterId === user.id);
}
