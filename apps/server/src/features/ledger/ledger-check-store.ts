import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../db/driver.ts';

/** Rows of each kind of problem that a check lists. One is enough to start looking. */
const MAX_ROWS = 20;

export async function listBalances(tx: Db): Promise<{ account: string; balanceFen: number }[]> {
  return await tx
    .selectFrom('ledgerEntry')
    .select('account')
    .select(sql<number>`sum(amount_fen)::bigint`.as('balanceFen'))
    .groupBy('account')
    .orderBy('account')
    .execute();
}

/** A row that does not fit: what it is called, and what was expected and found where both are amounts. */
export type Misfit = { name: string; expectedFen: number | null; foundFen: number | null };

async function listMisfits(tx: Db, query: RawBuilder<Misfit>): Promise<Misfit[]> {
  const { rows } = await sql<Misfit>`
    select name, expected_fen::bigint as expected_fen, found_fen::bigint as found_fen from (${query}) as misfit
    order by name limit ${MAX_ROWS}`.execute(tx);
  return rows;
}

/** The database refuses them at the end of each transaction; a check looks again. */
export async function listUnbalanced(tx: Db): Promise<Misfit[]> {
  return await listMisfits(
    tx,
    sql`select reference as name, 0 as expected_fen, coalesce(sum(amount_fen), 0) as found_fen
      from ledger_transaction left join ledger_entry on transaction_id = ledger_transaction.id
      group by ledger_transaction.id having coalesce(sum(amount_fen), 0) <> 0 or count(ledger_entry.id) = 0`,
  );
}

/**
 * What must be in the ledger, one row for each entry: `payment:1` in the account of the provider and in `sales` or
 * `to-return`, and so on. Compared with what is there in both directions.
 */
const expectedEntries = sql`
  select 'payment:' || id as reference, provider as account, paid_fen as amount_fen from payment where status = 'paid'
  union all
  select 'payment:' || id, case when settles then 'sales' else 'to-return' end, -paid_fen
    from payment where status = 'paid'
  union all
  select 'refund:' || refund.id || ':requested', side.account, side.sign * refund.amount_fen
    from refund join payment on payment.id = payment_id,
      (values ('sales', 1), ('to-return', -1)) as side (account, sign)
    where payment.settles
  union all
  select 'refund:' || refund.id, side.account, side.sign * refund.amount_fen
    from refund join payment on payment.id = payment_id,
      lateral (values ('to-return', 1), (payment.provider, -1)) as side (account, sign)
    where refund.status = 'done'`;

export async function listWrongEntries(tx: Db): Promise<Misfit[]> {
  return await listMisfits(
    tx,
    sql`
      with expected as (${expectedEntries}),
      found as (
        select reference, account, sum(amount_fen) as amount_fen
        from ledger_transaction join ledger_entry on transaction_id = ledger_transaction.id
        where reference like 'payment:%' or reference like 'refund:%'
        group by reference, account)
      select coalesce(expected.reference, found.reference) || ' ' || coalesce(expected.account, found.account) as name,
        expected.amount_fen as expected_fen, found.amount_fen as found_fen
      from expected full join found on found.reference = expected.reference and found.account = expected.account
      where expected.amount_fen is distinct from found.amount_fen`,
  );
}

/** Rewards that were earned or claimed have their transaction with their worth; no other reward is entered. */
export async function listWrongRewards(tx: Db): Promise<Misfit[]> {
  return await listMisfits(
    tx,
    sql`
      with found as (
        select reference, sum(amount_fen) filter (where amount_fen > 0) as amount_fen
        from ledger_transaction join ledger_entry on transaction_id = ledger_transaction.id
        where reference like 'reward:%' group by reference),
      expected as (
        select 'reward:' || id || ':earned' as reference, worth_fen as amount_fen
          from invitation_reward where status in ('claimable', 'claimed') and worth_fen > 0
        union all
        select 'reward:' || id || ':claimed', worth_fen
          from invitation_reward where status = 'claimed' and worth_fen > 0
        union all
        select 'reward:' || id || ':void', worth_fen
          from invitation_reward where status = 'void' and worth_fen > 0
            and 'reward:' || id || ':earned' in (select reference from found))
      select coalesce(expected.reference, found.reference) as name,
        expected.amount_fen as expected_fen, found.amount_fen as found_fen
      from expected left join found on found.reference = expected.reference
      where found.amount_fen is distinct from expected.amount_fen`,
  );
}

/** Orders that were sold have one payment that paid them, of their amount; and no other order has. */
export async function listUnpaidOrders(tx: Db): Promise<Misfit[]> {
  return await listMisfits(
    tx,
    sql`
      select product_order.number as name,
        case when product_order.status in ('paid', 'refunded') then product_order.amount_fen else 0 end as expected_fen,
        coalesce(payment.paid_fen, 0) as found_fen
      from product_order left join payment on payment.order_id = product_order.id and payment.settles
      where case when product_order.status in ('paid', 'refunded') then product_order.amount_fen else 0 end
        <> coalesce(payment.paid_fen, 0)`,
  );
}

/** Orders whose refunds are not what they say. Only refunds of the payment that paid the order count. */
export async function listWrongRefundsOfOrders(tx: Db): Promise<Misfit[]> {
  return await listMisfits(
    tx,
    sql`
      with refunded as (
        select order_id, sum(refund.amount_fen) as amount_fen
        from refund join payment on payment.id = payment_id and settles group by order_id)
      select product_order.number as name, product_order.refunded_fen as expected_fen,
        coalesce(refunded.amount_fen, 0) as found_fen
      from product_order left join refunded on refunded.order_id = product_order.id
      where product_order.refunded_fen <> coalesce(refunded.amount_fen, 0)`,
  );
}

/** Payments whose refunds are not what they say. One that paid nothing is returned as a whole. */
export async function listWrongRefundsOfPayments(tx: Db): Promise<Misfit[]> {
  return await listMisfits(
    tx,
    sql`
      with refunded as (select payment_id, sum(amount_fen) as amount_fen from refund group by payment_id)
      select payment.number as name,
        case when status = 'paid' and not settles then paid_fen else refunded_fen end as expected_fen,
        coalesce(refunded.amount_fen, 0) as found_fen
      from payment left join refunded on refunded.payment_id = payment.id
      where refunded_fen <> coalesce(refunded.amount_fen, 0)
        or (status = 'paid' and not settles and refunded_fen <> paid_fen)`,
  );
}

/** What each account must hold, from payments and refunds alone. */
export async function listExpectedBalances(tx: Db): Promise<{ account: string; balanceFen: number }[]> {
  const { rows } = await sql<{ account: string; balanceFen: number }>`
    with received as (
      select provider, settles, sum(paid_fen) as fen from payment where status = 'paid' group by provider, settles),
    returned as (
      select payment.provider, payment.settles, refund.status = 'done' as is_done, sum(refund.amount_fen) as fen
      from refund join payment on payment.id = payment_id group by 1, 2, 3)
    select provider.account, (
        coalesce((select sum(fen) from received where received.provider = provider.account), 0)
        - coalesce((select sum(fen) from returned where returned.provider = provider.account and is_done), 0)
      )::bigint as balance_fen
    from (values ('alipay'), ('wechat')) as provider (account)
    union all
    select 'sales', (coalesce((select sum(fen) from returned where settles), 0)
      - coalesce((select sum(fen) from received where settles), 0))::bigint
    union all
    select 'to-return', (-coalesce((select sum(fen) from returned where not is_done), 0))::bigint`.execute(tx);
  return rows;
}

/** Differences of the bills that were compared during the last week. */
export async function listBillDifferences(tx: Db): Promise<{ provider: string; day: string; text: string }[]> {
  const { rows } = await sql<{ provider: string; day: string; text: string }>`
    select provider, day, text from compared_bill, jsonb_array_elements_text(differences) as text
    where compared_at > now() - interval '7 days' order by day, provider limit ${MAX_ROWS}`.execute(tx);
  return rows;
}
