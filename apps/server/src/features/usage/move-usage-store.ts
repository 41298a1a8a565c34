import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { addExcluded, sumNames } from './sum-columns-store.ts';

/**
 * Adds the statistics of a lost device to those of the one that replaces it. Where both have the same hour or day, their
 * usage is added up, and of their uptime the longer one counts.
 */
export async function moveUsage(
  tx: Db,
  { lostId, successorId }: { lostId: number; successorId: number },
): Promise<void> {
  await sql`
    with moved as (delete from usage_sum where device_id = ${lostId} returning *)
    insert into usage_sum as total (user_id, device_id, mapping_id, unit, starts_at, ${sumNames})
    select user_id, ${successorId}, mapping_id, unit, starts_at, ${sumNames} from moved
    on conflict (user_id, device_id, mapping_id, unit, starts_at) do update set ${addExcluded}`.execute(tx);
  await sql`
    with moved as (delete from device_uptime where device_id = ${lostId} returning *)
    insert into device_uptime as total (device_id, unit, starts_at, online_ms, observed_ms)
    select ${successorId}, unit, starts_at, online_ms, observed_ms from moved
    on conflict (device_id, unit, starts_at) do update set
      online_ms = greatest(total.online_ms, excluded.online_ms),
      observed_ms = greatest(total.observed_ms, excluded.observed_ms)`.execute(tx);
  for (const table of ['usagePlaceDay', 'usageVisitorDay', 'usageRecent'] as const)
    await tx.updateTable(table).set({ deviceId: successorId }).where('deviceId', '=', lostId).execute();
}
