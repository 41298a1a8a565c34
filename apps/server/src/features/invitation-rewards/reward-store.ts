import type { InvitationReward } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { maskName } from './mask-name.ts';
import { JOINED_WITHIN_DAYS, waitHours } from './reward-rules.ts';

type RewardEvent = InvitationReward['event'];
export type VoidReason = NonNullable<InvitationReward['void_reason']>;

const columns = [
  ...(['id', 'userId', 'inviteeId', 'inviteeName', 'event', 'status', 'days', 'worthFen', 'orderId'] as const),
  ...(['createdAt', 'claimableAt', 'claimedAt', 'claimedAs', 'voidReason'] as const),
] as const;

function selectRewards(db: Db) {
  return db.selectFrom('invitationReward').select(columns);
}
export type RewardRow = Awaited<ReturnType<ReturnType<typeof selectRewards>['executeTakeFirstOrThrow']>>;

/** An event that has no reward yet. `orderId` is the first payment of an account. */
export type DueEvent = {
  event: RewardEvent;
  inviterId: number;
  inviteeId: number;
  username: string;
  orderId: number | null;
};

/** Accounts that were invited, have proven who they are, and whose first device was online. */
export async function listJoined(
  db: Db,
  { limit, inviteeId }: { limit: number; inviteeId?: number },
): Promise<DueEvent[]> {
  const rows = await selectInvitees(db, 'joined')
    .$if(inviteeId !== undefined, (query) => query.where('userAccount.id', '=', inviteeId ?? 0))
    .where('userAccount.createdAt', '>', sql<Date>`now() - make_interval(days => ${JOINED_WITHIN_DAYS})`)
    .where(
      sql<boolean>`(phone_number is not null or email <> ''
        or exists (select from wechat_account where user_id = user_account.id))`,
    )
    .where(
      sql<boolean>`exists (select from device join device_presence on device_id = device.id
        where device.user_id = user_account.id)`,
    )
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, event: 'joined', orderId: null }));
}

/** Accounts that were invited and have paid, with the first payment that was not returned. */
export async function listPaid(
  db: Db,
  { limit, inviteeId }: { limit: number; inviteeId?: number },
): Promise<DueEvent[]> {
  const rows = await selectInvitees(db, 'paid')
    .$if(inviteeId !== undefined, (query) => query.where('userAccount.id', '=', inviteeId ?? 0))
    .innerJoin('productOrder', (join) =>
      join
        .onRef('productOrder.userId', '=', 'userAccount.id')
        .on('productOrder.status', '=', 'paid')
        .on('productOrder.amountFen', '>', 0),
    )
    .select('productOrder.id as orderId')
    .distinctOn('userAccount.id')
    .orderBy('productOrder.paidAt')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, event: 'paid' }));
}

function selectInvitees(db: Db, event: RewardEvent) {
  return db
    .selectFrom('userAccount')
    .where('userAccount.inviterId', 'is not', null)
    .where(
      sql<boolean>`not exists (select from invitation_reward
        where invitee_id = user_account.id and event = ${event})`,
    )
    .select(['userAccount.id as inviteeId', 'userAccount.username'])
    .select((eb) => eb.ref('userAccount.inviterId').$notNull().as('inviterId'))
    .orderBy('userAccount.id');
}

/** Does nothing if the event has a reward. */
export async function insertReward(
  tx: Db,
  due: DueEvent & { days: number; worthFen: number; voidReason: VoidReason | undefined },
): Promise<void> {
  const { event, inviterId, inviteeId, username, orderId, days, worthFen, voidReason } = due;
  const since = sql`coalesce((select paid_at from product_order where id = ${orderId}::integer), now())`;
  const claimableAt = sql<Date>`${since} + make_interval(hours => ${waitHours[event]})`;
  await tx
    .insertInto('invitationReward')
    .values({
      ...{ userId: inviterId, inviteeId, inviteeName: maskName(username), event, orderId, days, worthFen },
      ...(voidReason === undefined
        ? { status: 'pending', claimableAt }
        : { status: 'void', voidReason, claimableAt: null }),
    })
    .onConflict((conflict) => conflict.columns(['inviteeId', 'event']).doNothing())
    .execute();
}

/** Rewards of this calendar month in China. */
export async function countOfMonth(tx: Db, userId: number): Promise<number> {
  const month = (at: string) => sql`date_trunc('month', ${sql.ref(at)} at time zone 'UTC' + interval '8 hours')`;
  const { count } = await tx
    .selectFrom('invitationReward')
    .where('userId', '=', userId)
    .where('status', '<>', 'void')
    .where(sql<boolean>`${month('created_at')} = date_trunc('month', now() at time zone 'UTC' + interval '8 hours')`)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Pending rewards whose time has come, and those of orders that were refunded before they were claimed. */
export async function listToSettle(db: Db, limit: number): Promise<{ id: number; userId: number }[]> {
  return await db
    .selectFrom('invitationReward')
    .leftJoin('productOrder', 'productOrder.id', 'invitationReward.orderId')
    .where('invitationReward.status', 'in', ['pending', 'claimable'])
    .where((eb) =>
      eb.or([
        eb('productOrder.status', '=', 'refunded'),
        eb.and([
          eb('invitationReward.status', '=', 'pending'),
          eb('invitationReward.claimableAt', '<=', sql<Date>`now()`),
        ]),
      ]),
    )
    .select(['invitationReward.id', 'invitationReward.userId'])
    .orderBy('invitationReward.id')
    .limit(limit)
    .execute();
}

/** The caller has locked the account of the inviter, as for every change of its rewards. */
export async function findReward(tx: Db, reward: { id: number; userId: number }): Promise<RewardRow | undefined> {
  return await selectRewards(tx).where('id', '=', reward.id).where('userId', '=', reward.userId).executeTakeFirst();
}

/** Whether the payment of a reward was returned. It is not returned before the transaction ends. */
export async function isRefunded(tx: Db, orderId: number | null): Promise<boolean> {
  if (orderId === null) return false;
  const row = await tx
    .selectFrom('productOrder')
    .where('id', '=', orderId)
    .select('status')
    .forShare()
    .executeTakeFirst();
  return row?.status === 'refunded';
}

export async function markClaimable(tx: Db, id: number): Promise<void> {
  await tx.updateTable('invitationReward').set({ status: 'claimable' }).where('id', '=', id).execute();
}

export async function markVoid(tx: Db, id: number, voidReason: VoidReason): Promise<void> {
  await tx.updateTable('invitationReward').set({ status: 'void', voidReason }).where('id', '=', id).execute();
}

export async function markClaimed(tx: Db, id: number, claimedAs: 'days' | 'key'): Promise<RewardRow> {
  return await tx
    .updateTable('invitationReward')
    .set({ status: 'claimed', claimedAt: sql<Date>`now()`, claimedAs })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** New ones first. */
export async function listRewards(
  db: Db,
  userId: number,
  page: { limit: number; offset: number },
): Promise<{ count: number; rewards: RewardRow[] }> {
  const { count } = await db
    .selectFrom('invitationReward')
    .where('userId', '=', userId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const rewards = await selectRewards(db)
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { count, rewards };
}

export async function sumDays(db: Db, userId: number): Promise<Record<RewardRow['status'], number>> {
  const rows = await db
    .selectFrom('invitationReward')
    .where('userId', '=', userId)
    .groupBy('status')
    .select((eb) => ['status', eb.fn.sum<number>('days').as('days')])
    .execute();
  const none = { pending: 0, claimable: 0, claimed: 0, void: 0 };
  return { ...none, ...Object.fromEntries(rows.map(({ status, days }) => [status, days])) };
}

export async function findStandardProductId(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom('product')
    .where('listed', '=', true)
    .where('priceFen', '>', 0)
    .orderBy('position')
    .orderBy('id')
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}
