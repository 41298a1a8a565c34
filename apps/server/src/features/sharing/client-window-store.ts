import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type ClientWindowRow = {
  openUntil: Date;
  isOpen: boolean;
  /** Set when a client was marked and still passes. */
  client: { ip: string; expiresAt: Date } | undefined;
  isClaimed: boolean;
};

/** Opens the mapping's window, in place of the previous one. */
export async function upsertClientWindow(tx: Db, mappingId: number, openSeconds: number): Promise<void> {
  const opened = {
    openUntil: sql<Date>`clock_timestamp() + make_interval(secs => ${openSeconds})`,
    claimedAt: null,
    verificationId: null,
  };
  await tx
    .insertInto('clientWindow')
    .values({ mappingId, ...opened })
    .onConflict((conflict) => conflict.column('mappingId').doUpdateSet(opened))
    .execute();
}

/** Closes the window if no client was marked in it; false when there is no such window. */
export async function deleteOpenWindow(tx: Db, mappingId: number): Promise<boolean> {
  const row = await tx
    .deleteFrom('clientWindow')
    .where('mappingId', '=', mappingId)
    .where('claimedAt', 'is', null)
    .returning('mappingId')
    .executeTakeFirst();
  return row !== undefined;
}

export async function findClientWindow(db: Db, mappingId: number): Promise<ClientWindowRow | undefined> {
  const row = await db
    .selectFrom('clientWindow')
    .leftJoin('verification', (join) =>
      join
        .onRef('verification.id', '=', 'clientWindow.verificationId')
        .on('verification.revokedAt', 'is', null)
        .on('verification.expiresAt', '>', sql<Date>`now()`),
    )
    .where('clientWindow.mappingId', '=', mappingId)
    .select(['clientWindow.openUntil', 'clientWindow.claimedAt', 'verification.visitorIp', 'verification.expiresAt'])
    .select(sql<boolean>`claimed_at is null and open_until > clock_timestamp()`.as('isOpen'))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { openUntil, claimedAt, isOpen, visitorIp, expiresAt } = row;
  const client = visitorIp === null || expiresAt === null ? undefined : { ip: visitorIp, expiresAt };
  return { openUntil, isOpen, client, isClaimed: claimedAt !== null };
}

/** Claims the window for one client; false when it is closed, or another client has claimed it. */
export async function claimClientWindow(tx: Db, mappingId: number): Promise<boolean> {
  // One statement, so that of concurrent clients at all relays one finds the window unclaimed.
  const row = await tx
    .updateTable('clientWindow')
    .set({ claimedAt: sql`clock_timestamp()` })
    .where('mappingId', '=', mappingId)
    .where('claimedAt', 'is', null)
    .where('openUntil', '>', sql<Date>`clock_timestamp()`)
    .returning('mappingId')
    .executeTakeFirst();
  return row !== undefined;
}

export async function setWindowClient(tx: Db, mappingId: number, verificationId: number): Promise<void> {
  await tx.updateTable('clientWindow').set({ verificationId }).where('mappingId', '=', mappingId).execute();
}
