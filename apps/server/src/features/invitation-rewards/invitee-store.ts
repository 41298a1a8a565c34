import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

const hasBeenOnline = sql<boolean>`exists (select from device join device_presence on device_id = device.id
  where device.user_id = user_account.id)`;
const hasPaid = sql<boolean>`exists (select from product_order
  where product_order.user_id = user_account.id and paid_at is not null and amount_fen > 0)`;

export type InviteeRow = { username: string; createdAt: Date; hasBeenOnline: boolean; hasPaid: boolean };

export async function listInvitees(db: Db, inviterId: number, limit: number): Promise<InviteeRow[]> {
  return await db
    .selectFrom('userAccount')
    .where('inviterId', '=', inviterId)
    .select(['username', 'createdAt', hasBeenOnline.as('hasBeenOnline'), hasPaid.as('hasPaid')])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export async function countInvitees(
  db: Db,
  inviterId: number,
): Promise<{ invited: number; online: number; paid: number }> {
  return await db
    .selectFrom('userAccount')
    .where('inviterId', '=', inviterId)
    .select((eb) => eb.fn.countAll<number>().as('invited'))
    .select(sql<number>`count(*) filter (where ${hasBeenOnline})`.as('online'))
    .select(sql<number>`count(*) filter (where ${hasPaid})`.as('paid'))
    .executeTakeFirstOrThrow();
}
