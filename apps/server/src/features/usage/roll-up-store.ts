import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { replaceByExcluded, sumNames, sums } from './sum-columns-store.ts';
import { startOf } from './usage-time-store.ts';

type Unit = 'day' | 'month';
type Span = { from: Date; to: Date };

/** The finished days or months that were not added up, with the lock on how far the job has come. Undefined: there are none. */
export async function takeFinished(tx: Db, unit: Unit): Promise<Span | undefined> {
  const { rows } = await sql<Span>`
    select done_until as from, ${startOf(unit, sql`clock_timestamp()`)} as to
    from statistics_progress where name = ${unit} for update`.execute(tx);
  const [span] = rows;
  return span !== undefined && span.from < span.to ? span : undefined;
}

export async function saveDoneUntil(tx: Db, unit: Unit, doneUntil: Date): Promise<void> {
  await tx.updateTable('statisticsProgress').set({ doneUntil }).where('name', '=', unit).execute();
}

/** Adds up the hours to days: the same again when it runs again. */
export async function addUpDays(tx: Db, span: Span): Promise<void> {
  const day = startOf('day', sql`hour`);
  await replaceSums(
    tx,
    sql`
      select user_id, device_id, mapping_id, 'day', ${day}, ${sums}
      from mapping_usage_hour join mapping on mapping.id = mapping_id join device on device.id = device_id
      where ${isIn('hour', span)}
      group by user_id, device_id, mapping_id, ${day}`,
  );
  const dayOfSum = startOf('day', sql`starts_at`);
  await replaceSums(
    tx,
    sql`
      select user_id, device_id, null, 'day', ${dayOfSum}, ${sums} from usage_sum
      where unit = 'hour' and ${isIn('starts_at', span)}
      group by user_id, device_id, ${dayOfSum}`,
  );
  await sql`
    insert into device_uptime (device_id, unit, starts_at, online_ms, observed_ms)
    select device_id, 'day', ${dayOfSum}, sum(online_ms), sum(observed_ms) from device_uptime
    where unit = 'hour' and ${isIn('starts_at', span)}
    group by device_id, ${dayOfSum}
    on conflict (device_id, unit, starts_at) do update set
      online_ms = excluded.online_ms, observed_ms = excluded.observed_ms`.execute(tx);
}

export async function addUpMonths(tx: Db, span: Span): Promise<void> {
  const month = startOf('month', sql`starts_at`);
  await replaceSums(
    tx,
    sql`
      select user_id, device_id, mapping_id, 'month', ${month}, ${sums} from usage_sum
      where unit = 'day' and ${isIn('starts_at', span)}
      group by user_id, device_id, mapping_id, ${month}`,
  );
}

function isIn(column: 'hour' | 'starts_at', { from, to }: Span): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${to})`;
}

async function replaceSums(tx: Db, rows: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into usage_sum (user_id, device_id, mapping_id, unit, starts_at, ${sumNames}) ${rows}
    on conflict (user_id, device_id, mapping_id, unit, starts_at) do update set ${replaceByExcluded}`.execute(tx);
}
