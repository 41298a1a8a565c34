import { must } from '@tongtu/base';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { newNumber } from './order-number.ts';
import type { PlanTerms } from './plan-prices.ts';

export type PlanRow = PlanTerms & {
  id: number;
  userId: number;
  deviceId: number | null;
  startsAt: Date;
  endsAt: Date;
  isExpired: boolean;
};

const termColumns = [
  'plan.productId',
  'plan.productName',
  'plan.days',
  'plan.bandwidthBps',
  'plan.mappingLimit',
  'plan.appKinds',
  'plan.priceFen',
] as const;

const isExpired = sql<boolean>`plan.ends_at <= now()`;

function selectPlans(db: Db) {
  return db
    .selectFrom('plan')
    .select(['plan.id', 'plan.userId', 'plan.deviceId', 'plan.startsAt', 'plan.endsAt', ...termColumns])
    .select(isExpired.as('isExpired'));
}

/** Also an expired one. The caller has locked the account, as for every change of its plans. */
export async function findPlan(tx: Db, planId: number): Promise<PlanRow | undefined> {
  return await selectPlans(tx).where('plan.id', '=', planId).executeTakeFirst();
}

export async function findPlanOfDevice(tx: Db, deviceId: number): Promise<PlanRow | undefined> {
  return await selectPlans(tx).where('plan.deviceId', '=', deviceId).executeTakeFirst();
}

/** The plan of an order, whose id it has. */
export async function insertPlan(
  tx: Db,
  plan: { id: number; userId: number; deviceId: number | null; terms: PlanTerms },
): Promise<void> {
  const { terms, ...row } = plan;
  const times = { startsAt: sql<Date>`now()`, endsAt: sql<Date>`now() + make_interval(days => ${terms.days})` };
  await tx
    .with('started', (db) => db.insertInto('plan').values({ ...row, ...terms, ...times }))
    .updateTable('productOrder')
    .set({ planId: row.id })
    .where('id', '=', row.id)
    .execute();
}

/** Adds days and sets the terms. The new time starts where the old one ends, or now where that is over. */
export async function extendPlan(
  tx: Db,
  planId: number,
  { days, terms }: { days: number; terms: PlanTerms },
): Promise<void> {
  await tx
    .updateTable('plan')
    .set({ ...terms, endsAt: sql<Date>`greatest(ends_at, now()) + make_interval(days => ${days})` })
    .where('id', '=', planId)
    .execute();
}

/** More days and nothing else. */
export async function addDays(tx: Db, planId: number, days: number): Promise<void> {
  await tx
    .updateTable('plan')
    .set({ endsAt: sql<Date>`greatest(ends_at, now()) + make_interval(days => ${days})` })
    .where('id', '=', planId)
    .execute();
}

/** Not before now: what was used is not taken back. */
export async function takeDays(tx: Db, planId: number, days: number): Promise<void> {
  await tx
    .updateTable('plan')
    .set({
      endsAt: sql<Date>`greatest(starts_at, least(ends_at, greatest(now(), ends_at - make_interval(days => ${days}))))`,
    })
    .where('id', '=', planId)
    .execute();
}

export async function setPlanTerms(tx: Db, planId: number, terms: PlanTerms): Promise<void> {
  await tx.updateTable('plan').set(terms).where('id', '=', planId).execute();
}

/** Null unbinds it. */
export async function setPlanDevice(tx: Db, planId: number, deviceId: number | null): Promise<void> {
  await tx.updateTable('plan').set({ deviceId }).where('id', '=', planId).execute();
}

/** Seconds until the plan ends. */
export async function remainingSeconds(tx: Db, planId: number): Promise<number> {
  const { seconds } = await tx
    .selectFrom('plan')
    .where('id', '=', planId)
    .select(sql<number>`extract(epoch from ends_at - now())::float8`.as('seconds'))
    .executeTakeFirstOrThrow();
  return seconds;
}

/** Whether so many more days would reach more than two years ahead. */
export async function wouldReachTooFar(tx: Db, planId: number, days: number, maxDays: number): Promise<boolean> {
  const row = await tx
    .selectFrom('plan')
    .where('id', '=', planId)
    .select(
      sql<boolean>`greatest(ends_at, now()) + make_interval(days => ${days}) > now() + make_interval(days => ${maxDays})`.as(
        'isTooFar',
      ),
    )
    .executeTakeFirst();
  return row?.isTooFar ?? false;
}

export type PlanFilter = { userId: number; deviceId?: number; isUnbound?: boolean; isNonfree?: boolean };
export type ListedPlan = PlanRow & { deviceName: string | null };

/** Plans that are not over, the one that ends first in front. */
export async function listPlans(
  db: Db,
  filter: PlanFilter,
  page: { limit: number; offset: number },
): Promise<{ count: number; plans: ListedPlan[] }> {
  const { userId, deviceId, isUnbound, isNonfree } = filter;
  const valid = db
    .selectFrom('plan')
    .where('plan.userId', '=', userId)
    .where('plan.endsAt', '>', sql<Date>`now()`)
    .$if(deviceId !== undefined, (query) => query.where('plan.deviceId', '=', deviceId ?? 0))
    .$if(isUnbound === true, (query) => query.where('plan.deviceId', 'is', null))
    .$if(isNonfree === true, (query) => query.where('plan.priceFen', '>', 0));
  const { count } = await valid.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  const plans = await valid
    .leftJoin('device', 'device.id', 'plan.deviceId')
    .select(['plan.id', 'plan.userId', 'plan.deviceId', 'plan.startsAt', 'plan.endsAt', ...termColumns])
    .select(['device.name as deviceName', isExpired.as('isExpired')])
    .orderBy('plan.endsAt')
    .orderBy('plan.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { count, plans };
}

/** Whether the user owns the device. */
export async function ownsDevice(tx: Db, device: { id: number; userId: number }): Promise<boolean> {
  const row = await tx
    .selectFrom('device')
    .where('id', '=', device.id)
    .where('userId', '=', device.userId)
    .select('id')
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** A paid order of 0 fen, for a redeemed key or a reward. */
export type GrantedOrder = { userId: number; kind: 'key' | 'reward'; terms: PlanTerms; deviceId: number | null };

/** The order of more days for a plan. Returns its id. */
export async function insertGrantedOrder(tx: Db, order: GrantedOrder, planId: number): Promise<number> {
  const { terms, ...row } = order;
  const now = sql<Date>`now()`;
  const { id } = await tx
    .insertInto('productOrder')
    .values({
      ...row,
      ...terms,
      planId,
      number: newNumber('T'),
      status: 'paid',
      amountFen: 0,
      closesAt: now,
      paidAt: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The order and its new plan, which refer to each other, in one statement. Returns the id of both. */
export async function insertGrantedPlan(tx: Db, order: GrantedOrder & { boundTo: number | null }): Promise<number> {
  const { userId, kind, deviceId, boundTo, terms } = order;
  const { rows } = await sql<{ id: number }>`
    with numbered as (select nextval(pg_get_serial_sequence('product_order', 'id'))::integer as id),
    ordered as (
      insert into product_order (id, plan_id, number, user_id, kind, device_id, status, amount_fen, closes_at, paid_at,
        product_id, product_name, days, bandwidth_bps, mapping_limit, app_kinds, price_fen)
      overriding system value
      select id, id, ${newNumber('T')}, ${userId}::integer, ${kind}, ${deviceId}::integer, 'paid', 0, now(), now(),
        ${terms.productId}::integer, ${terms.productName}, ${terms.days}::integer, ${terms.bandwidthBps}::bigint,
        ${terms.mappingLimit}::integer, ${terms.appKinds}::text[], ${terms.priceFen}::integer
      from numbered
      returning id, user_id, product_id, product_name, days, bandwidth_bps, mapping_limit, app_kinds, price_fen
    )
    insert into plan (id, user_id, device_id, starts_at, ends_at,
      product_id, product_name, days, bandwidth_bps, mapping_limit, app_kinds, price_fen)
    select id, user_id, ${boundTo}::integer, now(), now() + make_interval(days => days),
      product_id, product_name, days, bandwidth_bps, mapping_limit, app_kinds, price_fen
    from ordered
    returning id`.execute(tx);
  return must(rows[0], 'the new plan').id;
}

/** Whether the account has a paid plan that is not over. */
export async function hasPaidPlan(db: Db, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('plan')
    .where('userId', '=', userId)
    .where('priceFen', '>', 0)
    .where('endsAt', '>', sql<Date>`now()`)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function countLiveFreePlans(tx: Db, userId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('plan')
    .where('userId', '=', userId)
    .where('priceFen', '=', 0)
    .where('endsAt', '>', sql<Date>`now()`)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
