import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/**
 * Why a visitor may come in; checked again when the ticket is redeemed. With `sessionId`, the verification ends with that
 * session.
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

const TICKET_SECONDS = 60;

/** Inserts a ticket that is valid for a minute. */
export async function insertTicket(
  tx: Db,
  ticket: { ticketHash: Buffer; mappingId: number; host: string } & TicketGrounds,
): Promise<void> {
  await tx
    .insertInto('gateTicket')
    .values({ ...ticket, expiresAt: sql`now() + make_interval(secs => ${TICKET_SECONDS})` })
    .execute();
}

/** Deletes tickets that expired more than a day ago. */
export async function deleteOldTickets(db: Db): Promise<void> {
  const old = db
    .selectFrom('gateTicket')
    .where('expiresAt', '<', sql<Date>`now() - interval '1 day'`)
    .select('ticketHash')
    .forUpdate()
    .skipLocked();
  // A locked ticket is skipped: it is being deleted with its mapping or session.
  await db.deleteFrom('gateTicket').where('ticketHash', 'in', old).execute();
}

/** How many tickets for this host the session got in the last seconds, used or not. */
export async function countRecentTickets(
  db: Db,
  { sessionId, host, withinSeconds }: { sessionId: number; host: string; withinSeconds: number },
): Promise<number> {
  const { count } = await db
    .selectFrom('gateTicket')
    .where('sessionId', '=', sessionId)
    .where('host', '=', host)
    .where('expiresAt', '>', sql<Date>`now() + make_interval(secs => ${TICKET_SECONDS - withinSeconds})`)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Marks the ticket as used; undefined when it is unknown, used, expired or for another host. */
export async function useTicket(tx: Db, ticketHash: Buffer, host: string): Promise<UsedTicket | undefined> {
  // One statement, so that of two browsers with the same ticket only one finds it unused.
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

/** Keeps the ticket's session from being ended until the transaction ends. */
export async function lockTicketSessionForKeyShare(tx: Db, ticketHash: Buffer): Promise<void> {
  await tx
    .selectFrom('gateTicket')
    .innerJoin('session', 'session.id', 'gateTicket.sessionId')
    .where('ticketHash', '=', ticketHash)
    .select('session.id')
    .forKeyShare('session')
    .execute();
}

/** Keeps the account that owns the ticket's mapping from being deleted until the transaction ends. Returns its id. */
export async function lockTicketOwnerForKeyShare(tx: Db, ticketHash: Buffer): Promise<number | undefined> {
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
