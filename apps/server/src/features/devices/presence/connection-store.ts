import type { OfflineReason } from '@tongtu/contract';
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';
import type { Database } from '../../../db/schema.ts';

/** A device that connects every second keeps its last minutes, another one its last months. */
const MAX_CONNECTIONS_PER_DEVICE = 200;
const KEPT_DAYS = 90;

/** What the console shows of a device from this time on. */
export type ConnectionChange = {
  deviceId: number;
  at: Date;
  online: boolean;
  offlineReason: OfflineReason | null;
  publicIp: string;
  agentVersion: string;
};
export type ConnectionRow = Selectable<Database['deviceConnection']>;

/** Adds the changes, in their order, to the history of their devices, which are locked. */
export async function insertConnections(tx: Db, changes: readonly ConnectionChange[]): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map((change, position) => ({ ...change, position }));
  await sql`
    with change as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as change
        ("deviceId" integer, at timestamptz, online boolean, "offlineReason" text, "publicIp" text, "agentVersion" text,
          position integer)
    )
    insert into device_connection (device_id, number, at, online, offline_reason, public_ip, agent_version)
    select "deviceId",
      coalesce((select max(number) from device_connection where device_id = "deviceId"), 0)
        + row_number() over (partition by "deviceId" order by position),
      at, online, "offlineReason", "publicIp", "agentVersion"
    from change`.execute(tx);
  const deviceIds = [...new Set(changes.map(({ deviceId }) => deviceId))];
  await sql`
    delete from device_connection as old using unnest(${deviceIds}::integer[]) as changed
    where old.device_id = changed
      and old.number <= (select max(number) from device_connection where device_id = changed)
        - ${MAX_CONNECTIONS_PER_DEVICE}::integer`.execute(tx);
}

/** The newest first. */
export async function listConnections(db: Db, deviceId: number): Promise<ConnectionRow[]> {
  return await db
    .selectFrom('deviceConnection')
    .where('deviceId', '=', deviceId)
    .select(['deviceId', 'number', 'at', 'online', 'offlineReason', 'publicIp', 'agentVersion'])
    .orderBy('number', 'desc')
    .limit(MAX_CONNECTIONS_PER_DEVICE)
    .execute();
}

export async function deleteOldConnections(db: Db): Promise<void> {
  await db
    .deleteFrom('deviceConnection')
    .where('at', '<', sql<Date>`now() - make_interval(days => ${KEPT_DAYS})`)
    .execute();
}
