import type { AlertFailure, AlertKind } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { AlertNews } from './alert-news.ts';

/** What robots and mailboxes bear, and people read. */
const MAX_PER_HOUR = 20;
/** A sender that has not come back by then was killed: what it had is sent again. */
const CLAIM_SECONDS = 60;

export type ClaimedDelivery = {
  id: number;
  news: AlertNews;
  attempts: number;
  channel: { id: number; userId: number; kind: AlertKind; name: string; targetSealed: Buffer };
};

/**
 * Takes a delivery that is due, together with its channel, by which nothing else is sent meanwhile. Logins go first: nobody
 * should read of them late because a device comes and goes.
 */
export async function claimDelivery(db: Db): Promise<ClaimedDelivery | undefined> {
  return await db.transaction().execute(async (tx) => {
    const channel = await claimChannel(tx);
    if (!channel) return undefined;
    const { rows } = await sql<{ id: number; news: unknown; attempts: number }>`
      update alert_delivery set attempts = attempts + 1 where id = (
        select id from alert_delivery
        where channel_id = ${channel.id} and sent_at is null and failed_at is null and event <> 'test'
          and next_try_at <= now()
        order by event = 'new_login' desc, id limit 1)
      returning id, news, attempts`.execute(tx);
    const [delivery] = rows;
    if (delivery) return { ...delivery, news: AlertNews.parse(delivery.news), channel };
    await freeChannel(tx, channel.id); // deleted, or failed for good, since it was found
    return undefined;
  });
}

async function claimChannel(tx: Db): Promise<ClaimedDelivery['channel'] | undefined> {
  // A channel that another process has just taken is looked at again when its lock is had, and no longer fits.
  const { rows } = await sql<ClaimedDelivery['channel']>`
    update alert_channel set sending_until = now() + make_interval(secs => ${CLAIM_SECONDS}) where id = (
      select channel.id from alert_delivery as delivery join alert_channel as channel on channel.id = channel_id
      where delivery.sent_at is null and delivery.failed_at is null and delivery.event <> 'test'
        and next_try_at <= now() and channel.enabled
        and (channel.sending_until is null or channel.sending_until <= now())
        and (select count(*) from alert_delivery as sent where sent.channel_id = channel.id
          and sent.sent_at > now() - interval '1 hour' and sent.event <> 'test') < ${MAX_PER_HOUR}
      order by next_try_at, delivery.id limit 1
      for update of channel skip locked)
    returning id, user_id, kind, name, target_sealed`.execute(tx);
  return rows[0];
}

export async function freeChannel(db: Db, channelId: number): Promise<void> {
  await db.updateTable('alertChannel').set({ sendingUntil: null }).where('id', '=', channelId).execute();
}

/** It arrived; what else waits for the channel need not wait for another try. */
export async function recordSent(tx: Db, { id, channelId }: { id: number; channelId: number }): Promise<void> {
  const now = sql<Date>`now()`;
  await tx.updateTable('alertDelivery').set({ sentAt: now, failure: null }).where('id', '=', id).execute();
  await tx
    .updateTable('alertChannel')
    .set({ lastSentAt: now, lastFailedAt: null, lastFailure: null })
    .where('id', '=', channelId)
    .execute();
  await tx
    .updateTable('alertDelivery')
    .set({ nextTryAt: now })
    .where('channelId', '=', channelId)
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .where('nextTryAt', '>', now)
    .execute();
}

/** It did not arrive. Without a time for the next try, it never will. */
export async function recordFailure(
  tx: Db,
  { id, channelId }: { id: number; channelId: number },
  { failure, retryAfterSeconds }: { failure: AlertFailure; retryAfterSeconds: number | undefined },
): Promise<void> {
  const now = sql<Date>`now()`;
  const next =
    retryAfterSeconds === undefined
      ? { failedAt: now }
      : { nextTryAt: sql<Date>`now() + make_interval(secs => ${retryAfterSeconds})` };
  await tx
    .updateTable('alertDelivery')
    .set({ failure, ...next })
    .where('id', '=', id)
    .execute();
  await tx
    .updateTable('alertChannel')
    .set({ lastFailedAt: now, lastFailure: failure })
    .where('id', '=', channelId)
    .execute();
}

/** There is nobody left whom it is about. */
export async function dropDelivery(db: Db, id: number): Promise<void> {
  await db.deleteFrom('alertDelivery').where('id', '=', id).execute();
}

/** Forgets what nobody wants to hear any more, and gives up what is a day old: it is no news then. */
export async function dropUnwanted(db: Db): Promise<void> {
  await sql`
    delete from alert_delivery using alert_channel as channel
    where channel.id = channel_id and sent_at is null and failed_at is null and event <> 'test'
      and (not channel.enabled or event <> all(channel.events))`.execute(db);
  await sql`
    update alert_delivery set failed_at = now(),
      failure = coalesce(failure, case event when 'test' then 'timeout' else 'rate_limited' end)
    where sent_at is null and failed_at is null
      and created_at < now() - case event when 'test' then interval '2 minutes' else interval '1 day' end`.execute(db);
}

export type SpokenDevice = { id: number; toldSince: Date | null };

/** Those of these devices that their owner wants to hear of, with the absence that is under way. */
export async function listSpokenDevices(db: Db, userId: number, deviceIds: number[]): Promise<SpokenDevice[]> {
  return await db
    .selectFrom('device')
    .leftJoin('toldAbsence', 'toldAbsence.deviceId', 'device.id')
    .select(['device.id', 'toldAbsence.since as toldSince'])
    .where('userId', '=', userId)
    .where('enabled', '=', true)
    .where('alertsEnabled', '=', true)
    .where(sql<boolean>`device.id = any(${deviceIds}::integer[])`)
    .execute();
}
