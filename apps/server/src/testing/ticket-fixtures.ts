import type { Db } from '../db/driver.ts';

/** Inserts sessions of one account. Returns their ids in ascending order. */
export async function insertSessions(
  db: Db,
  userId: number,
  count: number,
  expiresAt = new Date(Date.now() + 3_600_000),
): Promise<number[]> {
  const session = { userId, expiresAt, ip: '203.0.113.9', userAgent: '' };
  const values = Array.from({ length: count }, (_, n) => ({ ...session, idHash: Buffer.alloc(32, 100 + n) }));
  const rows = await db.insertInto('session').values(values).returning('id').execute();
  return rows.map(({ id }) => id);
}

/** Inserts a ticket for the mapping `nas`. Locks take tickets in the order of `hash`, a deletion in the order of insertion. */
export async function insertTicket(
  db: Db,
  ticket: {
    hash: number;
    mappingId: number;
    userId: number;
    sessionId: number;
    memberId?: number;
    expiresAt?: Date;
  },
): Promise<void> {
  const { hash, memberId = null, expiresAt = new Date(Date.now() + 3_600_000), ...given } = ticket;
  const grantedBy = memberId === null ? 'owner' : 'member';
  await db
    .insertInto('gateTicket')
    .values({ ...given, ticketHash: Buffer.alloc(32, hash), host: 'nas.localhost', grantedBy, memberId, expiresAt })
    .execute();
}

/** Locks one ticket, so that transactions that lock or delete it wait. */
export function lockTicketForUpdate(hash: number) {
  return async (tx: Db): Promise<unknown> =>
    await tx
      .selectFrom('gateTicket')
      .where('ticketHash', '=', Buffer.alloc(32, hash))
      .select('ticketHash')
      .forUpdate()
      .execute();
}
