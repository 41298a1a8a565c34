import type { FrpWire } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type FrpcLoginTime = { deviceId: number; timestamp: number; wire: FrpWire };

/**
 * The key of a login covers the account's token and the time, not the device: for this long after the first login, other
 * devices of the account may have the same time. A fleet starts together.
 */
const SAME_SECOND_SECONDS = 5;
/** Far beyond the difference of clocks that relays allow. */
const KEPT_HOURS = 24;

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
      on conflict (user_id, login_seconds) do update set login_seconds = excluded.login_seconds
      returning first_at
    ), accepted as (
      insert into frpc_login (device_id, accepted_seconds)
      select id, ${timestamp} from claimant
      where not exists (
        select from second
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
    .execute();
}
