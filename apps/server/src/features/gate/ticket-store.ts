import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export async function insertTicket(
  tx: Db,
  ticket: { ticketHash: Buffer; userId: number; mappingId: number; host: string },
  validSeconds: number,
): Promise<void> {
  await tx
    .insertInto('gateTicket')
    .values({ ...ticket, expiresAt: sql`now() + make_interval(secs => ${validSeconds})` })
    .execute();
}

/** Keeps the table small; a ticket that expired a day ago explains nothing to anyone. */
export async function deleteOldTickets(tx: Db): Promise<void> {
  await tx
    .deleteFrom('gateTicket')
    .where('expiresAt', '<', sql<Date>`now() - interval '1 day'`)
    .execute();
}

/** Uses the ticket up; undefined when it is unknown, used, expired or for another host. */
export async function useTicket(
  tx: Db,
  ticketHash: Buffer,
  host: string,
): Promise<{ userId: number | null; mappingId: number } | undefined> {
  // One statement: of two browsers with the same ticket only one sees it unused.
  return await tx
    .updateTable('gateTicket')
    .set({ usedAt: sql`now()` })
    .where('ticketHash', '=', ticketHash)
    .where('host', '=', host)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .returning(['userId', 'mappingId'])
    .executeTakeFirst();
}
