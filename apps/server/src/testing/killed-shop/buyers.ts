import { randomUUID } from 'node:crypto';
import { must } from '@tongtu/base';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { acceptPaymentTerms, insertProduct } from '../billing-fixtures.ts';
import { insertHome } from '../device-fixtures.ts';
import { insertAccount } from '../apps/open-account-app.ts';
import type { Buyer, Shop } from './shop.ts';

/** Buyers with a device and a key of a place of its own, so that none waits for what another one has locked. */
export async function insertBuyers({ db, app }: Shop, count: number): Promise<Buyer[]> {
  const staff = await app.browserOf(await insertAccount(db, { username: `staff-${count}`, isStaff: true }));
  const make = async <Made>(path: string, body: object) => (await staff.call('POST', path, body)).body as Made;
  const productId = await insertProduct(db);
  const buyers: Buyer[] = [];
  for (let n = 0; n < count; n++) {
    const uuid = randomUUID();
    const { userId, deviceId } = await insertHome(db, `buyer-${uuid.slice(0, 8)}`);
    await acceptPaymentTerms(db, userId);
    const place = await make<{ id: number }>('/api/manage/places/', { name: `门店 ${userId}` });
    const batch = { product_id: productId, place: place.id, count: 1 };
    const { keys } = await make<{ keys: [string] }>('/api/manage/product-keys/', batch);
    buyers.push({ userId, deviceId, productId, key: keys[0], uuid });
  }
  return buyers;
}

/** What the shop holds of a buyer, without ids and times. */
export async function stateOf(db: Db, { userId, deviceId }: Buyer): Promise<unknown> {
  const { rows } = await sql`
    with orders as (select * from product_order where user_id = ${userId}::integer),
    paid as (select * from payment where order_id in (select id from orders))
    select
      (select json_agg(json_build_array(kind, status, amount_fen, refunded_fen, plan_id = id) order by kind) from orders)
        as orders,
      (select json_agg(json_build_array(status, settles, paid_fen, refunded_fen)) from paid) as payments,
      (select count(*) from refund where payment_id in (select id from paid)) as refunds,
      (select json_agg(json_build_array(device_id = ${deviceId}::integer, (ends_at - starts_at)::text) order by device_id)
        from plan where user_id = ${userId}::integer) as plans,
      (select json_agg(json_build_array(account, amount_fen) order by account)
        from ledger_entry join ledger_transaction on ledger_transaction.id = transaction_id
        where order_id in (select id from orders)) as ledger,
      (select json_agg(json_build_array(status, order_id in (select id from orders where kind = 'key')))
        from product_key where redeemed_by = ${userId}::integer) as keys,
      (select json_agg(action order by id) from audit_entry where actor_id = ${userId}::integer) as audit,
      (select count(*) from failed_attempt where key = ${`redeem:${userId}`}) as failures`.execute(db);
  return must(rows[0], 'the state');
}
