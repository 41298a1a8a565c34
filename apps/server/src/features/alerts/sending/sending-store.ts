import type { AlertEvent, AlertFailure, AlertKind } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';

/** What robots and mailboxes bear, and people read. */
const MAX_PER_HOUR = 20;
/** A sender that has not come back by then was killed: what it had is sent again. */
const CLAIM_SECONDS = 60;
/** Of one user, so that nobody's silent receivers hold up everybody. Claims that are made at once may be one more. */
const MAX_CHANNELS_AT_ONCE = 2;
/** A delivery that is older is given up; a test much sooner, because its user waits for the result. */
const maxDeliveryAge = sql`case alert_delivery.event when 'test' then interval '2 minutes' else interval '1 day' end`;

export type ClaimedDelivery = {
  id: number;
  /** As another version of the server may have written them. */
  details: unknown;
  attempts: number;
  channel: ClaimedChannel;
};
/** `sendingUntil` is the claim's own: who comes after it has another. */
type ClaimedChannel = {
  id: number;
  userId: number;
  kind: AlertKind;
  name: string;
  targetSealed: Buffer;
  sendingUntil: Date;
};

/**
 * Takes a delivery that is due, together with its channel, by which nothing else is sent meanwhile. Logins go first: nobody
 * should read of them late because a device comes and goes.
 */
export async function claimDelivery(db: Db): Promise<ClaimedDelivery | undefined> {
  return await db.transaction().execute(async (tx) => {
    const claimed = await claimChannel(tx);
    if (!claimed) return undefined;
    const { events, ...channel } = claimed;
    const { rows } = await sql<Omit<ClaimedDelivery, 'channel'>>`
      update alert_delivery set attempts = attempts + 1 where id = (
        select id from alert_delivery
        where channel_id = ${channel.id} and sent_at is null and failed_at is null
          and event = any(${events}::text[]) and next_try_at <= now() and created_at > now() - ${maxDeliveryAge}
        order by event = 'new_login' desc, id limit 1)
      returning id, details, attempts`.execute(tx);
    const [delivery] = rows;
    if (delivery) return { ...delivery, channel };
    await endClaim(tx, channel); // deleted, or failed for good, since it was found
    return undefined;
  });
}

async function claimChannel(tx: Db): Promise<(ClaimedChannel & { events: AlertEvent[] }) | undefined> {
  // A channel that another process has just taken is looked at again when its lock is had, and no longer fits.
  // In milliseconds, which come back from here as they were told.
  const { rows } = await sql<ClaimedChannel & { events: AlertEvent[] }>`
    update alert_channel
    set sending_until = date_trunc('milliseconds', now() + make_interval(secs => ${CLAIM_SECONDS})) where id = (
      select channel.id from alert_delivery join alert_channel as channel on channel.id = channel_id
      where alert_delivery.sent_at is null and failed_at is null and event = any(channel.events)
        and next_try_at <= now() and alert_delivery.created_at > now() - ${maxDeliveryAge} and channel.enabled
        and (channel.sending_until is null or channel.sending_until <= now())
        and (select count(*) from alert_channel as busy where busy.user_id = channel.user_id
          and busy.sending_until > now()) < ${MAX_CHANNELS_AT_ONCE}
        and (select count(*) from alert_delivery as sent where sent.channel_id = channel.id
          and sent.sent_at > now() - interval '1 hour' and sent.event <> 'test') < ${MAX_PER_HOUR}
      order by next_try_at, alert_delivery.id limit 1
      for update of channel skip locked)
    returning id, user_id, kind, name, target_sealed, events, sending_until`.execute(tx);
  return rows[0];
}

/** Frees the channel for what comes next. Returns whether it was still this claim that had it. */
export async function endClaim(tx: Db, { id, sendingUntil }: { id: number; sendingUntil: Date }): Promise<boolean> {
  const row = await tx
    .updateTable('alertChannel')
    .set({ sendingUntil: null })
    .where('id', '=', id)
    .where('sendingUntil', '=', sendingUntil)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
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
  id: number,
  { failure, retryAfterSeconds }: { failure: AlertFailure; retryAfterSeconds?: number | undefined },
): Promise<void> {
  const next =
    retryAfterSeconds === undefined
      ? { failedAt: sql<Date>`now()` }
      : { nextTryAt: sql<Date>`now() + make_interval(secs => ${retryAfterSeconds})` };
  await tx
    .updateTable('alertDelivery')
    .set({ failure, ...next })
    .where('id', '=', id)
    .execute();
}

export async function recordChannelFailure(tx: Db, channelId: number, failure: AlertFailure): Promise<void> {
  await tx
    .updateTable('alertChannel')
    .set({ lastFailedAt: sql<Date>`now()`, lastFailure: failure })
    .where('id', '=', channelId)
    .execute();
}

/** Who could not be reached with one message is not asked for with the next: all wait so long. */
export async function postponeWaiting(tx: Db, channelId: number, seconds: number): Promise<void> {
  await sql`
    update alert_delivery set next_try_at = greatest(next_try_at, now() + make_interval(secs => ${seconds}))
    where channel_id = ${channelId} and sent_at is null and failed_at is null`.execute(tx);
}

/** There is nobody left whom it is about. */
export async function dropDelivery(db: Db, id: number): Promise<void> {
  await db.deleteFrom('alertDelivery').where('id', '=', id).execute();
}

/** Deletes deliveries whose list entry has expired, and gives up those that are a day old. */
export async function dropUnwanted(db: Db): Promise<void> {
  await sql`
    delete from alert_delivery using alert_channel as channel
    where channel.id = channel_id and sent_at is null and failed_at is null and event <> 'test'
      and (not channel.enabled or event <> all(channel.events))`.execute(db);
  await sql`
    update alert_delivery set failed_at = now(),
      failure = coalesce(failure, case event when 'test' then 'timeout' else 'rate_limited' end)
    where sent_at is null and failed_at is null
      and created_at <= now() - ${maxDeliveryAge}`.execute(db);
}

export type SpokenDevice = { id: number; notifiedSince: Date | null };

/** Those of these devices that their owner wants to hear of, with the absence that is under way. */
export async function listSpokenDevices(db: Db, userId: number, deviceIds: number[]): Promise<SpokenDevice[]> {
  return await db
    .selectFrom('device')
    .leftJoin('notifiedAbsence', 'notifiedAbsence.deviceId', 'device.id')
    .select(['device.id', 'notifiedAbsence.since as notifiedSince'])
    .where('userId', '=', userId)
    .where('enabled', '=', true)
    .where('alertsEnabled', '=', true)
    .where(sql<boolean>`device.id = any(${deviceIds}::integer[])`)
    .execute();
}
