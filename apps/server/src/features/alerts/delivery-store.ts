import type { AlertEvent, AlertFailure, AlertKind } from '@tongtu/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { AlertDetails } from './alert-details.ts';

/** More wait at no channel; what comes then is dropped. */
const MAX_WAITING = 100;

const isWaiting = (): RawBuilder<boolean> => sql<boolean>`(delivery.sent_at is null and delivery.failed_at is null)`;

export type Listener = { id: number; createdAt: Date };

/** The user's channels that this event is told by, and that can take one more. */
export async function listListeners(tx: Db, userId: number, event: AlertEvent): Promise<Listener[]> {
  const waiting = sql<number>`(
    select count(*) from alert_delivery as delivery where channel_id = alert_channel.id and ${isWaiting()})`;
  return await tx
    .selectFrom('alertChannel')
    .select(['id', 'createdAt'])
    .where('userId', '=', userId)
    .where('enabled', '=', true)
    .where(sql<boolean>`${event} = any(events)`)
    .where(waiting, '<', MAX_WAITING)
    .orderBy('id')
    .execute();
}

export async function insertDelivery(tx: Db, channelId: number, details: AlertDetails): Promise<void> {
  await tx.insertInto('alertDelivery').values({ channelId, details, event: details.event }).execute();
}

/** One that is sent at once, by whoever made it. */
export async function insertTest(db: Db, channelId: number, details: AlertDetails): Promise<number> {
  const row = await db
    .insertInto('alertDelivery')
    .values({ channelId, details, event: 'test', attempts: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** As it stands in the list of its owner. */
export type ListedDelivery = {
  id: number;
  channelId: number;
  kind: AlertKind;
  name: string;
  event: AlertEvent | 'test';
  /** Undefined where another version of the server has written what this one cannot read. */
  details: AlertDetails | undefined;
  createdAt: Date;
  sentAt: Date | null;
  failedAt: Date | null;
  failure: AlertFailure | null;
};

function selectListed(db: Db) {
  return db
    .selectFrom('alertDelivery')
    .innerJoin('alertChannel', 'alertChannel.id', 'alertDelivery.channelId')
    .select(['alertDelivery.id', 'channelId', 'kind', 'name', 'event', 'details'])
    .select(['alertDelivery.createdAt', 'sentAt', 'failedAt', 'failure']);
}

export async function listDeliveries(
  db: Db,
  userId: number,
  page: { limit: number; offset: number },
): Promise<ListedDelivery[]> {
  const rows = await selectListed(db)
    .where('userId', '=', userId)
    .orderBy('alertDelivery.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map(readListed);
}

/** Undefined when it was deleted with its channel. */
export async function findDelivery(db: Db, id: number): Promise<ListedDelivery | undefined> {
  const row = await selectListed(db).where('alertDelivery.id', '=', id).executeTakeFirst();
  return row && readListed(row);
}

export async function countDeliveries(db: Db, userId: number): Promise<number> {
  const row = await db
    .selectFrom('alertDelivery')
    .innerJoin('alertChannel', 'alertChannel.id', 'alertDelivery.channelId')
    .where('userId', '=', userId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

/** What its readers were promised to find for 30 days. */
export async function deleteOldDeliveries(db: Db): Promise<void> {
  await db
    .deleteFrom('alertDelivery')
    .where('createdAt', '<', sql<Date>`now() - interval '30 days'`)
    .execute();
}

function readListed<Row extends { details: object }>(row: Row): Omit<Row, 'details'> & Pick<ListedDelivery, 'details'> {
  return { ...row, details: AlertDetails.safeParse(row.details).data };
}
