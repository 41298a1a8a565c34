import { DEVICE_ATTEMPT_MINUTES, type DeviceAttemptKind } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/** `deviceId`: the device that it named, whose owner then is the attempt's; `userId`: whose key it showed. */
export type AttemptRow = {
  kind: DeviceAttemptKind;
  network: string;
  userId: number | undefined;
  deviceId: number | undefined;
};

const retention = sql`make_interval(mins => ${DEVICE_ATTEMPT_MINUTES}::integer)`;

/** A repeated attempt only has a later time. Those of accounts and devices that were deleted meanwhile belong to nobody. */
export async function upsertAttempts(db: Db, rows: readonly AttemptRow[]): Promise<void> {
  const kinds = rows.map(({ kind }) => kind);
  const networks = rows.map(({ network }) => network);
  const userIds = rows.map(({ userId }) => userId ?? null);
  const deviceIds = rows.map(({ deviceId }) => deviceId ?? null);
  await sql`
    insert into device_attempt (kind, network, user_id)
    select distinct seen.kind, seen.network, owner.id
    from unnest(${kinds}::text[], ${networks}::text[], ${userIds}::integer[], ${deviceIds}::integer[])
      as seen (kind, network, user_id, device_id)
    left join device on device.id = seen.device_id
    left join user_account as owner on owner.id = coalesce(seen.user_id, device.user_id)
    on conflict (network, kind, user_id) do update set last_at = now()`.execute(db);
}

/** The user's own attempts, and those from the network that belong to nobody. The newest first, each kind once. */
export async function listAttempts(
  db: Db,
  { userId, network, withinSeconds }: { userId: number; network: string; withinSeconds: number },
): Promise<{ kind: DeviceAttemptKind; isOwn: boolean; secondsAgo: number }[]> {
  const isOwn = sql<boolean>`bool_or(user_id is not null)`;
  const seconds = sql<number>`extract(epoch from now() - max(last_at))::integer`;
  return await db
    .selectFrom('deviceAttempt')
    .where((eb) => eb.or([eb('userId', '=', userId), eb.and([eb('userId', 'is', null), eb('network', '=', network)])]))
    .where(sql<boolean>`last_at >= now() - make_interval(secs => ${withinSeconds}::integer)`)
    .groupBy('kind')
    .select(['kind', isOwn.as('isOwn'), seconds.as('secondsAgo')])
    .orderBy('secondsAgo')
    .orderBy('kind')
    .execute();
}

export async function deleteOldAttempts(db: Db): Promise<void> {
  await db
    .deleteFrom('deviceAttempt')
    .where(sql<boolean>`last_at < now() - ${retention}`)
    .execute();
}
