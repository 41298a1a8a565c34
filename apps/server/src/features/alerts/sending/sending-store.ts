import type { AlertEvent, AlertFailure, AlertKind } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';

/** More would reach the limits of chat robots, and people would not read it. */
const MAX_PER_HOUR = 20;
/** A process that has not released its claim by then was killed: its delivery is sent again. */
const CLAIM_SECONDS = 60;
/** Keeps one user's unresponsive receivers from delaying all others. Two claims at the same time may exceed it by one. */
const MAX_CHANNELS_PER_USER = 2;
/** An older delivery is not tried again. A test expires sooner, because its user waits for the result. */
const maxDeliveryAge = sql`case alert_delivery.event when 'test' then interval '2 minutes' else interval '1 day' end`;

export type ClaimedDelivery = {
  id: number;
  /** Not parsed yet: another version of the server may have written them. */
  details: unknown;
  attempts: number;
  channel: ClaimedChannel;
};
/** `sendingUntil` identifies the claim: a later claim has another value. */
type ClaimedChannel = {
  id: number;
  userId: number;
  kind: AlertKind;
  name: string;
  targetSealed: Buffer;
  sendingUntil: Date;
};

/**
 * Claims a due delivery together with its channel, which sends nothing else until the claim is released or expires.
 * Logins and passkeys go first, so that an unstable device does not delay them.
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
        order by event in ('new_login', 'passkey_added') desc, id limit 1)
      returning id, details, attempts`.execute(tx);
    const [delivery] = rows;
    if (delivery) return { ...delivery, channel };
    await releaseClaim(tx, channel); // another process deleted it, or failed it for good, after the channel was selected
    return undefined;
  });
}

async function claimChannel(tx: Db): Promise<(ClaimedChannel & { events: AlertEvent[] }) | undefined> {
  // `skip locked` passes over channels that other processes are claiming. If one of them has just committed, PostgreSQL
  // checks the conditions again on the locked row.
  // The time is truncated to milliseconds, because a JavaScript Date has no microseconds and `releaseClaim` compares it.
  const { rows } = await sql<ClaimedChannel & { events: AlertEvent[] }>`
    update alert_channel
    set sending_until = date_trunc('milliseconds', now() + make_interval(secs => ${CLAIM_SECONDS})) where id = (
      select channel.id from alert_delivery join alert_channel as channel on channel.id = channel_id
      where alert_delivery.sent_at is null and failed_at is null and event = any(channel.events)
        and next_try_at <= now() and alert_delivery.created_at > now() - ${maxDeliveryAge} and channel.enabled
        and (channel.sending_until is null or channel.sending_until <= now())
        and (select count(*) from alert_channel as busy where busy.user_id = channel.user_id
          and busy.sending_until > now()) < ${MAX_CHANNELS_PER_USER}
        and (select count(*) from alert_delivery as sent where sent.channel_id = channel.id
          and sent.sent_at > now() - interval '1 hour' and sent.event <> 'test') < ${MAX_PER_HOUR}
      order by next_try_at, alert_delivery.id limit 1
      for update of channel skip locked)
    returning id, user_id, kind, name, target_sealed, events, sending_until`.execute(tx);
  return rows[0];
}

/** Frees the channel. Returns false if the claim had expired and another one has replaced it. */
export async function releaseClaim(tx: Db, { id, sendingUntil }: { id: number; sendingUntil: Date }): Promise<boolean> {
  const row = await tx
    .updateTable('alertChannel')
    .set({ sendingUntil: null })
    .where('id', '=', id)
    .where('sendingUntil', '=', sendingUntil)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The message arrived, so the channel's other pending deliveries become due at once. */
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

/** The message did not arrive. Without `retryAfterSeconds` it has failed for good. */
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

/** Delays all pending deliveries of a channel whose receiver has just failed. */
export async function postponePending(tx: Db, channelId: number, seconds: number): Promise<void> {
  await sql`
    update alert_delivery set next_try_at = greatest(next_try_at, now() + make_interval(secs => ${seconds}))
    where channel_id = ${channelId} and sent_at is null and failed_at is null`.execute(tx);
}

export async function deleteDelivery(db: Db, id: number): Promise<void> {
  await db.deleteFrom('alertDelivery').where('id', '=', id).execute();
}

/** Deletes pending deliveries that their channel no longer reports, and fails those that have expired. */
export async function discardStaleDeliveries(db: Db): Promise<void> {
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

export type MonitoredDevice = { id: number; notifiedSince: Date | null };

/** Lists which of these devices are enabled and not muted, with the start of their reported absence, if any. */
export async function listMonitoredDevices(db: Db, userId: number, deviceIds: number[]): Promise<MonitoredDevice[]> {
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
