import { type RawBuilder, sql } from 'kysely';

/** Days and months of the statistics are those of Beijing, as in schedules. It has no summer time, so hours are the same as in UTC. */
const BEIJING = sql.lit('Asia/Shanghai');

export type UsageUnit = 'hour' | 'day' | 'month';

export function beijingDay(at: RawBuilder<unknown>): RawBuilder<Date> {
  return startOf('day', at);
}

/** The begin of the hour, day or month in Beijing. */
export function startOf(unit: UsageUnit, at: RawBuilder<unknown>): RawBuilder<Date> {
  return sql<Date>`date_trunc(${sql.lit(unit)}, ${at}, ${BEIJING})`;
}
