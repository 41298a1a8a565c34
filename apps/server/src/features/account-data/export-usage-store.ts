import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { startOf } from '../usage/index.ts';

/** The limit for each kind; older rows are left out. */
const MAX_ROWS = 50_000;

const dayText = (day: RawBuilder<unknown>) => sql<string>`to_char(${day} at time zone 'Asia/Shanghai', 'YYYY-MM-DD')`;

/** Usage by mapping and day in Beijing. The hours of the last days have all been kept; before them there are days only. */
export async function exportUsage(db: Db, userId: number): Promise<unknown[]> {
  const firstHours = startOf('day', sql`now() - interval '89 days'`);
  const day = startOf('day', sql`hour`);
  const { rows } = await sql`
    select mapping_id, ${dayText(sql`day`)} as day, bytes_in, bytes_out, requests from (
      select mapping_id, ${day} as day, sum(bytes_in)::bigint as bytes_in, sum(bytes_out)::bigint as bytes_out,
        sum(requests)::bigint as requests
      from mapping_usage_hour join mapping on mapping.id = mapping_id join device on device.id = device_id
      where user_id = ${userId} and hour >= ${firstHours} group by mapping_id, ${day}
      union all
      select mapping_id, starts_at, bytes_in, bytes_out, requests from usage_sum
      where user_id = ${userId} and mapping_id is not null and unit = 'day' and starts_at < ${firstHours}
    ) as usage order by usage.day desc, mapping_id limit ${MAX_ROWS}`.execute(db);
  return rows;
}

/** The requests from each place, by mapping and day in Beijing. */
export async function exportUsagePlaces(db: Db, userId: number) {
  return await db
    .selectFrom('usagePlaceDay')
    .select(['mappingId', dayText(sql`day`).as('day'), 'place', 'requests'])
    .where('userId', '=', userId)
    .orderBy('usagePlaceDay.day', 'desc')
    .orderBy('mappingId')
    .orderBy('place')
    .limit(MAX_ROWS)
    .execute();
}

/** The requests of each verification, by mapping and day in Beijing. */
export async function exportUsageVisitors(db: Db, userId: number) {
  return await db
    .selectFrom('usageVisitorDay')
    .select(['mappingId', dayText(sql`day`).as('day'), 'verificationId', 'requests'])
    .where('userId', '=', userId)
    .orderBy('usageVisitorDay.day', 'desc')
    .orderBy('mappingId')
    .orderBy('verificationId')
    .limit(MAX_ROWS)
    .execute();
}

/** How long the devices were online and observed on each finished day in Beijing. */
export async function exportUptime(db: Db, userId: number) {
  return await db
    .selectFrom('deviceUptime')
    .innerJoin('device', 'device.id', 'deviceId')
    .select(['deviceId', dayText(sql`starts_at`).as('day'), 'onlineMs', 'observedMs'])
    .where('userId', '=', userId)
    .where('unit', '=', 'day')
    .orderBy('startsAt', 'desc')
    .orderBy('deviceId')
    .limit(MAX_ROWS)
    .execute();
}
