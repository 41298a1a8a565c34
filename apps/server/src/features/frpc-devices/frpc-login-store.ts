import type { FrpWire } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type FrpcLoginTime = { deviceId: number; timestamp: number; wire: FrpWire; isAhead?: true | undefined };

/**
 * The key of a login covers the account's token and the time, not the device: for this long after the first login, other
 * devices of the account may have the same time. A fleet starts together.
 */
const SAME_SECOND_SECONDS = 5;
/** Far beyond the difference of clocks that relays allow. */
const KEPT_HOURS = 24;
/** A device whose clock is ahead tries again every 10 to 20 s: those of half a day. */
const MAX_SECONDS_AHEAD = 4_000;
/** Nobody waits longer with a recorded login. */
const MAX_DAYS_AHEAD = 366;

/**
 * Makes this time the last one of the device. `isAccepted` is false when the device has logged in with it or a later one,
 * when it was another device's a while ago, or when wire v1 is too little. One statement: of two equal logins one wins.
 */
export async function acceptLoginTime(
  db: Db,
  { deviceId, timestamp, wire }: FrpcLoginTime,
): Promise<{ isAccepted: boolean; speaksV2: boolean }> {
  const { rows } = await sql<{ isAccepted: boolean; speaksV2: boolean }>`
    with claimant as (
      select id, user_id, frpc_login from device where id = ${deviceId} and frpc_token_sealed is not null
    ), second as (
      insert into frpc_login_second (user_id, login_seconds)
      select user_id, ${timestamp} from claimant where frpc_login is not null
      on conflict (user_id, login_seconds) do nothing
    ), used as (
      select first_at from frpc_login_second join claimant using (user_id) where login_seconds = ${timestamp}
    ), accepted as (
      insert into frpc_login (device_id, accepted_seconds)
      select id, ${timestamp} from claimant
      where not exists (
        select from used
        where first_at < clock_timestamp() - make_interval(secs => ${SAME_SECOND_SECONDS}::integer)
      )
      on conflict (device_id) do update set accepted_seconds = excluded.accepted_seconds
      where (frpc_login.accepted_seconds is null or frpc_login.accepted_seconds < excluded.accepted_seconds)
        and (${wire === 'v2'} or not frpc_login.speaks_v2)
      returning device_id
    )
    select
      exists (select from accepted) as is_accepted,
      exists (select from frpc_login where device_id = ${deviceId} and speaks_v2) as speaks_v2`.execute(db);
  return rows[0] ?? { isAccepted: false, speaksV2: false };
}

/**
 * A login whose time is still to come is not accepted, and must not be of use when that time has come. False when the
 * account has too many of them.
 */
export async function useUpTimeAhead(
  db: Db,
  { userId, timestamp }: { userId: number; timestamp: number },
): Promise<boolean> {
  const { rows } = await sql<{ isUsedUp: boolean }>`
    with ahead as (
      select count(*) < ${MAX_SECONDS_AHEAD} as has_room from frpc_login_second
      where user_id = ${userId} and login_seconds > extract(epoch from now())
    ), used as (
      insert into frpc_login_second (user_id, login_seconds)
      select ${userId}::integer, ${timestamp}::bigint from ahead
      where has_room and ${timestamp}::bigint < extract(epoch from now() + make_interval(days => ${MAX_DAYS_AHEAD}::integer))
      on conflict (user_id, login_seconds) do nothing
    )
    select has_room or exists (
      select from frpc_login_second where user_id = ${userId} and login_seconds = ${timestamp}
    ) as is_used_up from ahead`.execute(db);
  return rows[0]?.isUsedUp === true;
}

/** The account of a device that runs frpc. */
export async function findAccountOfFrpc(db: Db, deviceId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('device')
    .where('id', '=', deviceId)
    .where('frpcTokenSealed', 'is not', null)
    .select('userId')
    .executeTakeFirst();
  return row?.userId;
}

/** From now on wire v1 is refused. Nothing happens when the device was deleted or has no frpc. */
export async function markSpeaksV2(db: Db, deviceId: number): Promise<void> {
  await sql`
    insert into frpc_login (device_id, speaks_v2)
    select id, true from device where id = ${deviceId} and frpc_token_sealed is not null
    on conflict (device_id) do update set speaks_v2 = true where not frpc_login.speaks_v2`.execute(db);
}

/** For a device with another secret: no recorded login has its key. */
export async function forgetLogins(tx: Db, deviceId: number): Promise<void> {
  await tx.deleteFrom('frpcLogin').where('deviceId', '=', deviceId).execute();
}

export async function deleteOldLoginSeconds(db: Db): Promise<void> {
  await db
    .deleteFrom('frpcLoginSecond')
    .where(sql<boolean>`first_at < now() - make_interval(hours => ${KEPT_HOURS}::integer)`)
    .where(sql<boolean>`login_seconds < extract(epoch from now() - make_interval(hours => ${KEPT_HOURS}::integer))`)
    .execute();
}
