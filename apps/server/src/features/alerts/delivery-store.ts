import type { AlertEvent, AlertFailure, AlertKind } from '@tongtu/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { AlertDetails } from './alert-details.ts';

/** A channel with this many pending deliveries gets no further ones. */
const MAX_PENDING = 100;

const isPending = (): RawBuilder<boolean> => sql<boolean>`(delivery.sent_at is null and delivery.failed_at is null)`;

export type SubscribedChannel = { id: number; createdAt: Date };

/** Lists the user's channels that report this event and have room for another pending delivery. */
export async function listSubscribedChannels(tx: Db, userId: number, event: AlertEvent): Promise<SubscribedChannel[]> {
  const pendingCount = sql<number>`(
    select count(*) from alert_delivery as delivery where channel_id = alert_channel.id and ${isPending()})`;
  return await tx
    .selectFrom('alertChannel')
    .select(['id', 'createdAt'])
    .where('userId', '=', userId)
    .where('enabled', '=', true)
    .where(sql<boolean>`${event} = any(events)`)
    .where(pendingCount, '<', MAX_PENDING)
    .orderBy('id')
    .execute();
}

export async function listSuperuserIds(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('userAccount').select('id').where('isSuperuser', '=', true).orderBy('id').execute();
  return rows.map(({ id }) => id);
}

/** The channel's deliveries of an event that were recorded within the last hour, sent or not. */
export async function countDeliveriesOfLastHour(tx: Db, channelId: number, event: AlertEvent): Promise<number> {
  const { count } = await tx
    .selectFrom('alertDelivery')
    .where('channelId', '=', channelId)
    .where('event', '=', event)
    .where('createdAt', '>', sql<Date>`now() - interval '1 hour'`)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertDelivery(tx: Db, channelId: number, details: AlertDetails): Promise<void> {
  await tx.insertInto('alertDelivery').values({ channelId, details, event: details.event }).execute();
}

/** The caller sends this delivery itself, so it counts as tried once. */
export async function insertTestDelivery(db: Db, channelId: number, details: AlertDetails): Promise<number> {
  const row = await db
    .insertInto('alertDelivery')
    .values({ channelId, details, event: 'test', attempts: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** A delivery as its owner's list shows it. */
export type ListedDelivery = {
  id: number;
  channelId: number;
  kind: AlertKind;
  name: string;
  event: AlertEvent | 'test';
  /** Undefined when another version of the server wrote details that this one cannot parse. */
  details: AlertDetails | undefined;
  createdAt: Date;
  sentAt: Date | null;
  failedAt: Date | null;
  failure: AlertFailure | null;
};

function selectDeliveries(db: Db) {
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
  const rows = await selectDeliveries(db)
    .where('userId', '=', userId)
    .orderBy('alertDelivery.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map(parseDetails);
}

/** Returns undefined when the delivery was deleted with its channel. */
export async function findDelivery(db: Db, id: number): Promise<ListedDelivery | undefined> {
  const row = await selectDeliveries(db).where('alertDelivery.id', '=', id).executeTakeFirst();
  return row && parseDetails(row);
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

/** Deletes deliveries older than 30 days, the time for which the console promises to list them. */
export async function deleteOldDeliveries(db: Db): Promise<void> {
  await db
    .deleteFrom('alertDelivery')
    .where('createdAt', '<', sql<Date>`now() - interval '30 days'`)
    .execute();
}

function parseDetails<Row extends { details: object }>(
  row: Row,
): Omit<Row, 'details'> & Pick<ListedDelivery, 'details'> {
  return { ...row, details: AlertDetails.safeParse(row.details).data };
}
