import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/** What somebody was let in for; looked at again when the ticket is used. */
export type TicketGrounds =
  | { grantedBy: 'owner'; userId: number }
  | { grantedBy: 'member'; userId: number; memberId: number }
  | { grantedBy: 'password'; userId: number | null; passwordVersion: number }
  | { grantedBy: 'share'; userId: number | null; shareLinkId: number };

export type UsedTicket = {
  mappingId: number;
  userId: number | null;
  grantedBy: TicketGrounds['grantedBy'];
  memberId: number | null;
  shareLinkId: number | null;
  passwordVersion: number | null;
};

export async function insertTicket(
  tx: Db,
  ticket: { ticketHash: Buffer; mappingId: number; host: string } & TicketGrounds,
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
export async function useTicket(tx: Db, ticketHash: Buffer, host: string): Promise<UsedTicket | undefined> {
  // One statement: of two browsers with the same ticket only one sees it unused.
  return await tx
    .updateTable('gateTicket')
    .set({ usedAt: sql`now()` })
    .where('ticketHash', '=', ticketHash)
    .where('host', '=', host)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .returning(['mappingId', 'userId', 'grantedBy', 'memberId', 'shareLinkId', 'passwordVersion'])
    .executeTakeFirst();
}

export async function findUsername(db: Db, userId: number): Promise<string | undefined> {
  const row = await db.selectFrom('userAccount').where('id', '=', userId).select('username').executeTakeFirst();
  return row?.username;
}
