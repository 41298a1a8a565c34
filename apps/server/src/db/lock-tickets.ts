import { type RawBuilder, sql } from 'kysely';
import type { Db } from './driver.ts';

/** What is about to be deleted, or ended; tickets of the gate go with it. */
export type TicketsOf =
  | { mappingId: number }
  | { deviceId: number }
  | { memberIds: readonly number[] }
  /** And with them those that the account was given, by whatever login or without one. */
  | { sessionIds: readonly number[]; userId?: number | undefined }
  /** For its own mappings, or given to it. */
  | { userId: number };

/**
 * Makes whoever uses or deletes these tickets wait until the transaction ends. One ticket goes with any of several rows, and
 * deletions take them in whatever order: whoever deletes such a row locks its tickets before that, in this order.
 */
export async function lockTickets(tx: Db, of: TicketsOf): Promise<void> {
  await sql`select from gate_ticket where ${whose(of)} order by ticket_hash for update`.execute(tx);
}

function whose(of: TicketsOf): RawBuilder<unknown> {
  if ('mappingId' in of) return sql`mapping_id = ${of.mappingId}`;
  if ('deviceId' in of) return sql`mapping_id in (select id from mapping where device_id = ${of.deviceId})`;
  if ('memberIds' in of) return sql`member_id = any(${of.memberIds}::integer[])`;
  const { userId = null } = of;
  if ('sessionIds' in of) return sql`(session_id = any(${of.sessionIds}::integer[]) or user_id = ${userId})`;
  return sql`(user_id = ${userId} or mapping_id in (
    select mapping.id from mapping join device on device.id = mapping.device_id where device.user_id = ${userId}))`;
}
