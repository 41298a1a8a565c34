import type { CaptchaPurpose } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type StoredTicket = { ticketHash: Buffer; purpose: CaptchaPurpose; browserHash: Buffer };

/** Returns the expiry. */
export async function insertTicket(db: Db, ticket: StoredTicket, validSeconds: number): Promise<Date> {
  const { expiresAt } = await db
    .insertInto('captchaTicket')
    .values({ ...ticket, expiresAt: sql`now() + make_interval(secs => ${validSeconds})` })
    .returning('expiresAt')
    .executeTakeFirstOrThrow();
  return expiresAt;
}

/** False when it is unknown, used, expired, or for another browser or purpose. */
export async function claimTicket(tx: Db, ticket: StoredTicket): Promise<boolean> {
  // One statement, so that of two concurrent calls only one uses the ticket.
  const row = await tx
    .updateTable('captchaTicket')
    .set({ usedAt: sql`clock_timestamp()` })
    .where('ticketHash', '=', ticket.ticketHash)
    .where('browserHash', '=', ticket.browserHash)
    .where('purpose', '=', ticket.purpose)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`clock_timestamp()`)
    .returning('expiresAt')
    .executeTakeFirst();
  return row !== undefined;
}

/** Makes the ticket usable again. Only the call that claimed it may do this. */
export async function releaseTicket(db: Db, ticketHash: Buffer): Promise<void> {
  await db.updateTable('captchaTicket').set({ usedAt: null }).where('ticketHash', '=', ticketHash).execute();
}

/** Deletes expired tickets. */
export async function deleteOldTickets(db: Db): Promise<void> {
  await db
    .deleteFrom('captchaTicket')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .execute();
}
