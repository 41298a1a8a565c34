import type { OrderKind, OrderStatus } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type OrderFilter = { status?: OrderStatus; kind?: OrderKind; user?: number; search?: string };

function selectMatching(db: Db, { status, kind, user, search = '' }: OrderFilter) {
  return db
    .selectFrom('productOrder')
    .$if(status !== undefined, (query) => query.where('productOrder.status', '=', status ?? 'open'))
    .$if(kind !== undefined, (query) => query.where('productOrder.kind', '=', kind ?? 'new'))
    .$if(user !== undefined, (query) => query.where('productOrder.userId', '=', user ?? 0))
    .$if(search !== '', (query) => query.where(matching(search)));
}

/** Numbers are found as a whole, by their indexes; names by a part. One set of ids, because an OR would read all orders. */
function matching(search: string) {
  const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const number = search.toUpperCase();
  return sql<boolean>`product_order.id in (
      select id from product_order where number = ${number}
      union all select order_id from payment where number = ${number}
      union all select order_id from payment where provider in ('alipay', 'wechat') and transaction_id = ${search}
      union all select order_id from payment join refund on payment_id = payment.id where refund.number = ${number}
      union all select product_order.id from product_order join user_account on user_account.id = user_id
        where username ilike ${pattern})`;
}

export async function countManagedOrders(db: Db, filter: OrderFilter): Promise<number> {
  const { count } = await selectMatching(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function listManagedOrderIds(
  db: Db,
  filter: OrderFilter,
  page: { limit: number; offset: number },
): Promise<number[]> {
  const rows = await selectMatching(db, filter)
    .select('productOrder.id')
    .orderBy('productOrder.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map(({ id }) => id);
}

export async function listBuyers(db: Db, userIds: readonly number[]): Promise<{ id: number; username: string }[]> {
  return await db
    .selectFrom('userAccount')
    .select(['id', 'username'])
    .where(sql<boolean>`id = any(${userIds}::integer[])`)
    .execute();
}
