import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { announceDeviceChange } from '../../features/live/index.ts';

const inAnHour = sql<Date>`now() + interval '1 hour'`;
const oneSecondAgo = sql<Date>`now() - interval '1 second'`;

/** Ends the confirmations of all sessions, or of one account's. */
export async function endConfirmations(db: Db, userId?: number): Promise<void> {
  let update = db.updateTable('session').set({ confirmedUntil: oneSecondAgo });
  if (userId !== undefined) update = update.where('userId', '=', userId);
  await update.execute();
}

export async function confirmLogins(db: Db, userId: number): Promise<void> {
  await db.updateTable('session').set({ confirmedUntil: inAnHour }).where('userId', '=', userId).execute();
}

export async function endSecondSteps(db: Db): Promise<void> {
  await db.updateTable('loginStep').set({ expiresAt: oneSecondAgo }).execute();
}

export async function endTickets(db: Db): Promise<void> {
  await db.updateTable('gateTicket').set({ expiresAt: oneSecondAgo }).execute();
}

/** Moves all times of devices' presence back by these minutes. Their order stays. */
export async function letMinutesPass(db: Db, minutes: number): Promise<void> {
  const by = sql`make_interval(mins => ${minutes})`;
  await db
    .updateTable('device')
    .set({ watchedFrom: sql<Date>`watched_from - ${by}` })
    .execute();
  await db
    .updateTable('devicePresence')
    .set({ changedAt: sql<Date>`changed_at - ${by}` })
    .execute();
  await db
    .updateTable('notifiedAbsence')
    .set({ since: sql<Date>`since - ${by}` })
    .execute();
}

/** Moves the deletion time of deleted mappings of this name back by an hour. */
export async function backdateDeletion(db: Db, domain: string): Promise<void> {
  const deletedAt = sql<Date>`deleted_at - interval '1 hour'`;
  await db.updateTable('deletedMapping').set({ deletedAt }).where('domain', '=', domain).execute();
}

/** A custom domain gets its record in DNS, and the server's next check finds it. */
export async function leadDomainHere(db: Db, domain: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const update = tx.updateTable('domainCheck').set({ readyAt: sql<Date>`now()` });
    const { mappingId } = await update.where('domain', '=', domain).returning('mappingId').executeTakeFirstOrThrow();
    const mapping = tx.selectFrom('mapping').innerJoin('device', 'device.id', 'mapping.deviceId');
    const owner = mapping.where('mapping.id', '=', mappingId).select(['mapping.deviceId', 'device.userId']);
    await announceDeviceChange(tx, await owner.executeTakeFirstOrThrow());
  });
}

/** Sets the start of an announcement to now. */
export async function beginAnnouncement(db: Db, title: string): Promise<void> {
  await db
    .updateTable('announcement')
    .set({ startsAt: sql<Date>`now()` })
    .where('title', '=', title)
    .execute();
}

/** Inserts records of visitors with a password, one an hour since thirty days ago: 198.51.100.1, 198.51.100.2, … */
export async function addOldRecords(db: Db, { mappingId, count }: { mappingId: number; count: number }): Promise<void> {
  const mapping = await db
    .selectFrom('mapping')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .innerJoin('server', 'server.id', 'mapping.serverId')
    .where('mapping.id', '=', mappingId)
    .select(['mapping.prefix', 'server.suffix', 'device.id as deviceId', 'device.userId as ownerId'])
    .executeTakeFirstOrThrow();
  const { prefix, suffix, ...place } = mapping;
  const wallClockMs = Date.now();
  const daysAgo = (days: number): Date => new Date(wallClockMs - days * 86_400_000);
  const expired = { expiresAt: daysAgo(28), cookieExpiresAt: daysAgo(28) };
  const values = Array.from({ length: count }, (_, index) => ({
    ...place,
    ...expired,
    mappingId,
    kind: 'cookie' as const,
    host: `${prefix}.${suffix}`,
    visitorIp: `198.51.100.${index + 1}`,
    userAgent: '',
    grantedBy: 'password' as const,
    createdAt: new Date(daysAgo(30).getTime() + (index + 1) * 3_600_000),
  }));
  await db.insertInto('verification').values(values).execute();
}

/** Resets all counters, so that tests from one address do not use up each other's limits. */
export async function forgetLimits(db: Db): Promise<void> {
  await db.deleteFrom('rateCount').execute();
}

export async function forgetFailedLogins(db: Db): Promise<void> {
  await db.deleteFrom('failedAttempt').execute();
}
