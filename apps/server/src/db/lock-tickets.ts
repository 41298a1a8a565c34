import { type RawBuilder, sql } from 'kysely';
import type { Db } from './driver.ts';

/** What the transaction is about to delete or end, and the gate's tickets with it. */
export type TicketsOf =
  | { mappingId: number }
  | { deviceId: number }
  | { memberIds: readonly number[] }
  /** With `userId` also all tickets that this account was given. */
  | { sessionIds: readonly number[]; userId?: number | undefined }
  /** Tickets for the account's mappings, and tickets that it was given. */
  | { userId: number };

/**
 * Prevents a deadlock between two deletions. A cascade deletes tickets in any order, and one ticket may be deleted with its
 * mapping, member, login or account. A transaction that deletes such a row first locks its tickets in this order.
 */
export async function lockTicketsForUpdate(tx: Db, of: TicketsOf): Promise<void> {
  await sql`select from gate_ticket where ${ticketsOf(of)} order by ticket_hash for update`.execute(tx);
}

function ticketsOf(of: TicketsOf): RawBuilder<unknown> {
  if ('mappingId' in of) return sql`mapping_id = ${of.mappingId}`;
  if ('deviceId' in of) return sql`mapping_id in (select id from mapping where device_id = ${of.deviceId})`;
  if ('memberIds' in of) return sql`member_id = any(${of.memberIds}::integer[])`;
  const { userId = null } = of;
  if ('sessionIds' in of) return sql`(session_id = any(${of.sessionIds}::integer[]) or user_id = ${userId})`;
  return sql`(user_id = ${userId} or mapping_id in (
    select mapping.id from mapping join device on device.id = mapping.device_id where device.user_id = ${userId}))`;
}
