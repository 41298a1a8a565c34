import { sql } from 'kysely';
import type { Channel, Db } from './driver.ts';

/** Notifies every server process. Called in the transaction of the change; PostgreSQL delivers it on commit. */
export async function notify(db: Db, channel: Channel, payload: object): Promise<void> {
  await sql`select pg_notify(${channel}, ${JSON.stringify(payload)})`.execute(db);
}

/** Sends several notifications in one statement. */
export async function notifyEach(db: Db, channel: Channel, payloads: object[]): Promise<void> {
  if (payloads.length === 0) return;
  const texts = payloads.map((payload) => JSON.stringify(payload));
  await sql`select pg_notify(${channel}, text) from unnest(${texts}::text[]) as text`.execute(db);
}

/**
 * Notifies every server process of changed devices, and open consoles through the channel `live`, in one statement.
 * Returns the version of the change. It is the transaction's id, so all changes of one transaction have one version.
 */
export async function notifyDeviceChanges(db: Db, deviceIds: readonly number[], live: object[]): Promise<string> {
  const texts = live.map((payload) => JSON.stringify(payload));
  const { rows } = await sql<{ version: string }>`
    select pg_notify(channel, payload), pg_current_xact_id()::text as version from (
      select 'device_changed' as channel,
        json_build_object('deviceId', device_id, 'version', pg_current_xact_id()::text)::text as payload
      from unnest(${deviceIds}::integer[]) as device_id
      union all
      select 'live', text from unnest(${texts}::text[]) as text
    ) as notification`.execute(db);
  return rows[0]?.version ?? '';
}
