import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/** Deletes what a mapping's visitor log no longer keeps, so that nothing of it comes back with more days; 0: all of it. */
export async function trimVisitLog(tx: Db, { mappingId, days }: { mappingId: number; days: number }): Promise<void> {
  await sql`
    delete from visit
    where mapping_id = ${mappingId} and (${days}::integer = 0 or at < now() - make_interval(days => ${days}::integer))`.execute(
    tx,
  );
  await sql`
    delete from visit_unrecorded
    where mapping_id = ${mappingId} and (${days}::integer = 0 or hour < now() - make_interval(days => ${days}::integer))`.execute(
    tx,
  );
}
