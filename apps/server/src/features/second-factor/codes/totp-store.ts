import { sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';

/** `pending`: the set-up has begun, at most half an hour ago. */
export type TotpState = 'pending' | 'on';

/** Starts a set-up and replaces an unfinished one. False when the app is on already. */
export async function insertPendingTotp(db: Db, totp: { userId: number; secretSealed: Buffer }): Promise<boolean> {
  const { secretSealed } = totp;
  const row = await db
    .insertInto('totp')
    .values(totp)
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet({ secretSealed, lastStep: 0, createdAt: sql<Date>`now()` })
        .where('totp.confirmedAt', 'is', null),
    )
    .returning('userId')
    .executeTakeFirst();
  return row !== undefined;
}

export async function findSealedTotp(db: Db, userId: number, state: TotpState): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('totp')
    .select('secretSealed')
    .where('userId', '=', userId)
    .where(inState(state))
    .executeTakeFirst();
  return row?.secretSealed;
}

/** One statement, so that of several concurrent calls with one step's code one succeeds. Steps older than the last one fail. */
export async function claimTotpStep(
  tx: Db,
  { userId, state, step }: { userId: number; state: TotpState; step: number },
): Promise<boolean> {
  const row = await tx
    .updateTable('totp')
    .set({ lastStep: step })
    .where('userId', '=', userId)
    .where('lastStep', '<', step)
    .where(inState(state))
    .returning('userId')
    .executeTakeFirst();
  return row !== undefined;
}

export async function confirmTotp(tx: Db, userId: number): Promise<void> {
  await tx
    .updateTable('totp')
    .set({ confirmedAt: sql<Date>`now()` })
    .where('userId', '=', userId)
    .execute();
}

export async function deleteTotp(tx: Db, userId: number): Promise<void> {
  await tx.deleteFrom('totp').where('userId', '=', userId).execute();
}

function inState(state: TotpState) {
  return state === 'on'
    ? sql<boolean>`confirmed_at is not null`
    : sql<boolean>`confirmed_at is null and created_at > now() - interval '30 minutes'`;
}
