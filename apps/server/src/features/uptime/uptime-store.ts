import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { relayIsAlive } from '../devices/index.ts';
import { startOf } from '../usage/index.ts';

/** After a longer gap no server ran or the database was stopped: nobody observed the devices. */
const MAX_GAP_SECONDS = 60;

/**
 * Adds the time since the last call to the hours of each enabled device that was ever connected: as observed, and as online
 * if it is online now. In one transaction, so no time counts twice.
 */
export async function recordUptime(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ from: Date; to: Date }>`
      update statistics_progress set done_until = clock_timestamp()
      from (select done_until from statistics_progress where name = 'uptime' for update) as known
      where name = 'uptime' returning known.done_until as from, statistics_progress.done_until as to`.execute(tx);
    const [span] = rows;
    if (span === undefined || span.to.getTime() - span.from.getTime() > MAX_GAP_SECONDS * 1_000) return;
    await addUptime(tx, span);
  });
}

async function addUptime(tx: Db, { from, to }: { from: Date; to: Date }): Promise<void> {
  const begin = sql`${from}::timestamptz`;
  const end = sql`${to}::timestamptz`;
  await sql`
    with part as (
      select hour, greatest(0, extract(epoch from least(hour + interval '1 hour', ${end}) - greatest(hour, ${begin})) * 1000)
        ::bigint as ms
      from generate_series(${startOf('hour', begin)}, ${end}, interval '1 hour') as hour
    ), watched as (
      select device.id, bool_or(device_presence.online and ${relayIsAlive()}) as is_online
      from device join device_presence on device_id = device.id join relay on relay.id = relay_id
      where device.enabled group by device.id
    )
    insert into device_uptime as total (device_id, unit, starts_at, online_ms, observed_ms)
    select id, 'hour', hour, case when is_online then ms else 0 end, ms from watched cross join part
    where exists (select from device where device.id = watched.id)
    order by id, hour
    on conflict (device_id, unit, starts_at) do update set
      online_ms = total.online_ms + excluded.online_ms, observed_ms = total.observed_ms + excluded.observed_ms`.execute(
    tx,
  );
}
