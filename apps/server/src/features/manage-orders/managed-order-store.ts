import { MAX_FOUND_ORDERS, type OrderKind, type OrderStatus } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { patternContaining } from '../../db/like-pattern.ts';

export type OrderFilter = { status?: OrderStatus; kind?: OrderKind; user?: number; search?: string };

/** Orders that a search by number has found, or the words that the names of the buyers are searched for. */
type Search = { ids: number[] } | { name: string };

function selectMatching(db: Db, { status, kind, user }: OrderFilter, search: Search | undefined) {
  return db
    .selectFrom('productOrder')
    .$if(status !== undefined, (query) => query.where('productOrder.status', '=', status ?? 'open'))
    .$if(kind !== undefined, (query) => query.where('productOrder.kind', '=', kind ?? 'new'))
    .$if(user !== undefined, (query) => query.where('productOrder.userId', '=', user ?? 0))
    .$if(search !== undefined, (query) => query.where(search === undefined ? sql<boolean>`true` : isFound(search)));
}

function isFound(search: Search) {
  if ('ids' in search) return sql<boolean>`product_order.id = any(${search.ids}::integer[])`;
  const pattern = patternContaining(search.name);
  return sql<boolean>`product_order.user_id in (select id from user_account where username ilike ${pattern})`;
}

/** Numbers are found as a whole, by their indexes. What is the number of nothing is a part of a name. */
async function readSearch(db: Db, search: string): Promise<Search> {
  const number = search.toUpperCase();
  const { rows } = await sql<{ id: number }>`
    select id from product_order where number = ${number}
    union all select order_id from payment where number = ${number}
    union all select order_id from payment where provider in ('alipay', 'wechat') and transaction_id = ${search}
    union all select order_id from payment join refund on payment_id = payment.id where refund.number = ${number}`.execute(
    db,
  );
  return rows.length > 0 ? { ids: rows.map(({ id }) => id) } : { name: search };
}

/** The ids of a page, the newest first, and how many orders there are. Of a search at most MAX_FOUND_ORDERS are counted. */
export async function listManagedOrderIds(
  db: Db,
  filter: OrderFilter,
  page: { limit: number; offset: number },
): Promise<{ count: number; ids: number[] }> {
  const { search: typed = '' } = filter;
  const search = typed === '' ? undefined : await readSearch(db, typed);
  const counted = selectMatching(db, filter, search).$if(search !== undefined, (query) =>
    query.limit(MAX_FOUND_ORDERS),
  );
  const { count } = await db
    .selectFrom(counted.select('productOrder.id').as('found'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const rows = await selectMatching(db, filter, search)
    .select('productOrder.id')
    .orderBy('productOrder.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { count, ids: rows.map(({ id }) => id) };
}

export async function listBuyers(db: Db, userIds: readonly number[]): Promise<{ id: number; username: string }[]> {
  return await db
    .selectFrom('userAccount')
    .select(['id', 'username'])
    .where(sql<boolean>`id = any(${userIds}::integer[])`)
    .execute();
}
