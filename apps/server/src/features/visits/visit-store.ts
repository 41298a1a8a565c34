import { MAX_VISITS_OF_MAPPING, type UnrecordedVisits, type VisitOutcome } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type NewVisit = {
  mappingId: number;
  at: Date;
  ms: number;
  ip: string;
  place: string;
  grounds: string;
  verificationId: number | undefined;
  whoName: string;
  outcome: VisitOutcome;
  reason: string;
  method: string;
  path: string;
  userAgent: string;
  status: number | null;
  bytesIn: number;
  bytesOut: number;
};

/**
 * Locks those of the mappings that have a log, and returns them. The lock makes the ids of a mapping's visits ascend in the
 * order of the commits, so that a reader who asks for what follows an id misses none.
 */
export async function lockLoggedMappings(tx: Db, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from mapping where id = any(${ids}::integer[]) and visit_log_days > 0
    order by id for no key update`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/** The visitor's name and grounds are those of its verification at this moment, if it has one. */
export async function insertVisits(tx: Db, visits: readonly NewVisit[]): Promise<void> {
  if (visits.length === 0) return;
  await sql`
    insert into visit (mapping_id, at, ms, ip, place, who, who_name, outcome, reason, method, path, user_agent, status,
      bytes_in, bytes_out)
    select entry.mapping_id, entry.at, entry.ms, entry.ip, entry.place,
      case when entry.grounds = 'verified' then coalesce(verification.granted_by, 'unknown') else entry.grounds end,
      coalesce(verification.who, entry.who_name), entry.outcome, entry.reason, entry.method, entry.path,
      entry.user_agent, entry.status, entry.bytes_in, entry.bytes_out
    from jsonb_to_recordset(${JSON.stringify(visits.map(toColumns))}::jsonb) as entry(
      place_in_list integer, mapping_id integer, at timestamptz, ms bigint, ip text, place text, grounds text,
      verification_id integer, who_name text, outcome text, reason text, method text, path text, user_agent text,
      status integer, bytes_in bigint, bytes_out bigint)
    left join verification
      on verification.id = entry.verification_id and verification.mapping_id = entry.mapping_id
    order by entry.place_in_list`.execute(tx);
}

export async function addUnrecorded(tx: Db, entries: readonly UnrecordedVisits[]): Promise<void> {
  if (entries.length === 0) return;
  const columns = entries.map(({ mappingId, denied, others }) => ({ mapping_id: mappingId, denied, others }));
  await sql`
    insert into visit_unrecorded as total (mapping_id, hour, denied, others)
    select mapping_id, date_trunc('hour', now(), 'UTC'), sum(denied), sum(others)
    from jsonb_to_recordset(${JSON.stringify(columns)}::jsonb) as entry(mapping_id integer, denied bigint, others bigint)
    group by mapping_id order by mapping_id
    on conflict (mapping_id, hour) do update set
      denied = total.denied + excluded.denied, others = total.others + excluded.others`.execute(tx);
}

/** Keeps the latest visits of a mapping. */
export async function deleteExcessVisits(tx: Db, mappingId: number, max = MAX_VISITS_OF_MAPPING): Promise<void> {
  await sql`
    delete from visit where mapping_id = ${mappingId} and id <= (
      select id from visit where mapping_id = ${mappingId} order by id desc offset ${max} limit 1)`.execute(tx);
}

/** Deletes what is older than the owner wants it kept; all of a mapping whose log is off. */
export async function deleteOldVisits(db: Db): Promise<void> {
  await sql`
    delete from visit using mapping
    where mapping.id = visit.mapping_id and visit.at < now() - make_interval(days => mapping.visit_log_days)`.execute(
    db,
  );
  await sql`
    delete from visit_unrecorded as total using mapping
    where mapping.id = total.mapping_id and total.hour < now() - make_interval(days => mapping.visit_log_days)`.execute(
    db,
  );
  await sql`delete from visit_report where stored_at < now() - interval '30 days'`.execute(db);
}

/** Returns how many there were. */
export async function deleteVisitsOf(tx: Db, mappingId: number): Promise<number> {
  await tx.deleteFrom('visitUnrecorded').where('mappingId', '=', mappingId).execute();
  const { numDeletedRows } = await tx.deleteFrom('visit').where('mappingId', '=', mappingId).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

function toColumns(visit: NewVisit, index: number) {
  return {
    place_in_list: index,
    mapping_id: visit.mappingId,
    at: visit.at.toISOString(),
    ms: visit.ms,
    ip: visit.ip,
    place: visit.place,
    grounds: visit.grounds,
    verification_id: visit.verificationId ?? null,
    who_name: visit.whoName,
    outcome: visit.outcome,
    reason: visit.reason,
    method: visit.method,
    path: visit.path,
    user_agent: visit.userAgent,
    status: visit.status,
    bytes_in: visit.bytesIn,
    bytes_out: visit.bytesOut,
  };
}
