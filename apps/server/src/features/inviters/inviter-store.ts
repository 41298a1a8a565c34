import { BIND_INVITATION_DAYS } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/**
 * Sets who invited an account that has just been created. An account that joined later, is disabled or does not exist is
 * nobody's inviter, so nobody invites themselves, and no two accounts each other.
 */
export async function updateInviter(tx: Db, { userId, code }: { userId: number; code: string }): Promise<boolean> {
  const row = await tx
    .updateTable('userAccount')
    .from('userAccount as inviter')
    .set((eb) => ({ inviterId: eb.ref('inviter.id'), inviterBoundAt: sql<Date>`now()` }))
    .where('userAccount.id', '=', userId)
    .where('userAccount.inviterBoundAt', 'is', null)
    .where('inviter.invitationCode', '=', code)
    .where('inviter.disabledAt', 'is', null)
    .whereRef('inviter.id', '<', 'userAccount.id')
    .returning('userAccount.id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function findCode(db: Db, userId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('userAccount')
    .where('id', '=', userId)
    .select('invitationCode')
    .executeTakeFirstOrThrow();
  return row.invitationCode ?? undefined;
}

/** Does nothing if the account has a code. Throws the error of the constraint `user_account_invitation_code_key`. */
export async function setCode(db: Db, { userId, code }: { userId: number; code: string }): Promise<void> {
  await db
    .updateTable('userAccount')
    .set({ invitationCode: code })
    .where('id', '=', userId)
    .where('invitationCode', 'is', null)
    .execute();
}

export async function findUserByCode(db: Db, code: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('userAccount')
    .where('invitationCode', '=', code)
    .where('disabledAt', 'is', null)
    .select('id')
    .executeTakeFirst();
  return row?.id;
}

export type BindState = {
  isBound: boolean;
  inviter: string | null;
  /** Until when a code may be entered; `isTooLate` also after a payment. */
  until: Date;
  isTooLate: boolean;
};

export async function readBindState(db: Db, userId: number): Promise<BindState> {
  const until = sql<Date>`user_account.created_at + make_interval(days => ${BIND_INVITATION_DAYS})`;
  const row = await db
    .selectFrom('userAccount')
    .leftJoin('userAccount as inviter', 'inviter.id', 'userAccount.inviterId')
    .where('userAccount.id', '=', userId)
    .select(['inviter.username as inviter', 'userAccount.inviterBoundAt', until.as('until')])
    .select(
      sql<boolean>`(${until} <= now() or exists (select from product_order
        where product_order.user_id = user_account.id and paid_at is not null and amount_fen > 0))`.as('isTooLate'),
    )
    .executeTakeFirstOrThrow();
  return { isBound: row.inviterBoundAt !== null, inviter: row.inviter, until: row.until, isTooLate: row.isTooLate };
}
