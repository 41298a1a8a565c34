import type { DeviceLine } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';

/** Returns the owners of the devices whose line was another one before. Devices that are not at this relay are ignored. */
export async function storeLines(tx: Db, relayId: string, lines: readonly DeviceLine[]): Promise<number[]> {
  if (lines.length === 0) return [];
  const rows = lines.map(({ deviceId, loss }) => ({
    deviceId,
    percent: loss?.percent ?? null,
    rttMs: loss?.rttMs ?? null,
  }));
  const { rows: changed } = await sql<{ userId: number }>`
    with line as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as line
        ("deviceId" integer, percent real, "rttMs" integer)
    )
    update device_presence as known set loss_percent = line.percent, rtt_ms = line."rttMs"
    from line join device on device.id = line."deviceId"
    where known.device_id = line."deviceId" and known.relay_id = ${relayId}
      and (known.loss_percent, known.rtt_ms) is distinct from (line.percent, line."rttMs")
    returning device.user_id`.execute(tx);
  return changed.map(({ userId }) => userId);
}

/** Forgets the lines of this relay, except those of these devices. Returns the owners. */
export async function clearOtherLines(tx: Db, relayId: string, deviceIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ userId: number }>`
    with lossy as (
      -- In the order of their ids, as everywhere, which prevents deadlocks.
      select device.id, device.user_id from device join device_presence on device_id = device.id
      where relay_id = ${relayId} and loss_percent is not null and device.id <> all(${deviceIds}::integer[])
      order by device.id for no key update of device
    )
    update device_presence set loss_percent = null, rtt_ms = null from lossy
    where device_id = lossy.id and relay_id = ${relayId}
    returning lossy.user_id`.execute(tx);
  return rows.map(({ userId }) => userId);
}
