import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/**
 * What somebody was let in for; looked at again when the ticket is used. Who came in by a login is let in no longer than
 * that.
 */
export type TicketGrounds =
  | { grantedBy: 'owner'; userId: number; sessionId: number }
  | { grantedBy: 'member'; userId: number; sessionId: number; memberId: number }
  | { grantedBy: 'password'; userId: number | null; passwordVersion: number }
  | { grantedBy: 'share'; userId: number | null; shareLinkId: number };

export type UsedTicket = {
  mappingId: number;
  userId: number | null;
  grantedBy: TicketGrounds['grantedBy'];
  memberId: number | null;
  shareLinkId: number | null;
  passwordVersion: number | null;
  sessionId: number | null;
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
export async function deleteOldTickets(db: Db): Promise<void> {
  const old = db
    .selectFrom('gateTicket')
    .where('expiresAt', '<', sql<Date>`now() - interval '1 day'`)
    .select('ticketHash')
    .forUpdate()
    .skipLocked();
  // One that somebody has locked goes with a mapping or login that is just being deleted.
  await db.deleteFrom('gateTicket').where('ticketHash', 'in', old).execute();
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
    .returning(['mappingId', 'userId', 'grantedBy', 'memberId', 'shareLinkId', 'passwordVersion', 'sessionId'])
    .executeTakeFirst();
}

/** Keeps the login that the ticket was given to from being ended until the transaction ends. */
export async function lockSessionOfTicketForKeyShare(tx: Db, ticketHash: Buffer): Promise<void> {
  await tx
    .selectFrom('gateTicket')
    .innerJoin('session', 'session.id', 'gateTicket.sessionId')
    .where('ticketHash', '=', ticketHash)
    .select('session.id')
    .forKeyShare('session')
    .execute();
}

/** Keeps the account whose mapping the ticket is for from being deleted until the transaction ends. Whose that is. */
export async function lockOwnerOfTicketForKeyShare(tx: Db, ticketHash: Buffer): Promise<number | undefined> {
  const row = await tx
    .selectFrom('gateTicket')
    .innerJoin('mapping', 'mapping.id', 'gateTicket.mappingId')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .innerJoin('userAccount', 'userAccount.id', 'device.userId')
    .where('ticketHash', '=', ticketHash)
    .select('userAccount.id')
    .forKeyShare('userAccount')
    .executeTakeFirst();
  return row?.id;
}
