import type { AlertEvent, AlertFailure, AlertKind } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';

export type ChannelRow = {
  id: number;
  kind: AlertKind;
  name: string;
  hint: string;
  hasSecret: boolean;
  events: AlertEvent[];
  enabled: boolean;
  lastSentAt: Date | null;
  lastFailedAt: Date | null;
  lastFailure: AlertFailure | null;
};

export type SealedTarget = { targetSealed: Buffer; hint: string; hasSecret: boolean };

const columns = ['alertChannel.id', 'kind', 'name', 'hasSecret', 'events', 'enabled'] as const;
const outcomes = ['lastSentAt', 'lastFailedAt', 'lastFailure'] as const;

function selectChannel(db: Db) {
  return db
    .selectFrom('alertChannel')
    .innerJoin('userAccount', 'userAccount.id', 'alertChannel.userId')
    .select([...columns, ...outcomes])
    .select(sql<string>`case kind when 'email' then user_account.email else hint end`.as('hint'));
}

export async function listChannels(db: Db, userId: number): Promise<ChannelRow[]> {
  return await selectChannel(db).where('userId', '=', userId).orderBy('alertChannel.id').execute();
}

export async function findChannel(db: Db, own: { id: number; userId: number }): Promise<ChannelRow | undefined> {
  return await selectChannel(db)
    .where('alertChannel.id', '=', own.id)
    .where('userId', '=', own.userId)
    .executeTakeFirst();
}

/** Returns what `sendMessage` needs of the channel. */
export async function findSendingChannel(
  db: Db,
  own: { id: number; userId: number },
): Promise<{ kind: AlertKind; name: string; targetSealed: Buffer } | undefined> {
  return await db
    .selectFrom('alertChannel')
    .select(['kind', 'name', 'targetSealed'])
    .where('id', '=', own.id)
    .where('userId', '=', own.userId)
    .executeTakeFirst();
}

export type NewChannel = SealedTarget & { userId: number; kind: AlertKind; name: string; events: AlertEvent[] };

/** Returns undefined when the user has `max` channels. Call it in a transaction: it locks the user until the end. */
export async function insertChannel(tx: Db, channel: NewChannel, max: number): Promise<number | undefined> {
  await lockUserForNoKeyUpdate(tx, channel.userId);
  const { count } = await tx
    .selectFrom('alertChannel')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('userId', '=', channel.userId)
    .executeTakeFirstOrThrow();
  if (count >= max) return undefined;
  const row = await tx.insertInto('alertChannel').values(channel).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

export type ChannelChanges = Partial<SealedTarget> & { name?: string; events?: AlertEvent[]; enabled?: boolean };

/** A new target clears the last failure, which was that of the old one. */
export async function updateChannel(tx: Db, id: number, changes: ChannelChanges): Promise<void> {
  const outcome = changes.targetSealed && { lastFailedAt: null, lastFailure: null };
  await tx
    .updateTable('alertChannel')
    .set({ ...changes, ...outcome })
    .where('id', '=', id)
    .execute();
}

/** Returns false if the user has no such channel. */
export async function deleteChannel(db: Db, own: { id: number; userId: number }): Promise<boolean> {
  const row = await db
    .deleteFrom('alertChannel')
    .where('id', '=', own.id)
    .where('userId', '=', own.userId)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function findOfflineAfterMinutes(db: Db, userId: number): Promise<number> {
  const row = await db
    .selectFrom('userAccount')
    .select('offlineAfterMinutes')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return row.offlineAfterMinutes;
}

export async function setOfflineAfterMinutes(db: Db, userId: number, offlineAfterMinutes: number): Promise<void> {
  await db.updateTable('userAccount').set({ offlineAfterMinutes }).where('id', '=', userId).execute();
}

/** Returns an empty string when no address is bound. */
export async function findEmail(db: Db, userId: number): Promise<string> {
  const row = await db.selectFrom('userAccount').select('email').where('id', '=', userId).executeTakeFirst();
  return row?.email ?? '';
}
