import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { isValidNow } from './verification-store.ts';

/** Logins that end, and which proofs end with them. */
export type EndedLogins = {
  sessionIds: readonly number[];
  /** Verified addresses stay valid until they expire. */
  keepsAddresses?: boolean;
  /** An account whose proofs without an existing session end, too. */
  orphansOf?: number;
};

/** Nobody ends the login until the transaction ends. It is locked before any of its proofs. */
export async function findSessionForKeyShare(tx: Db, sessionId: number): Promise<{ id: number } | undefined> {
  return await tx.selectFrom('session').select('id').where('id', '=', sessionId).forKeyShare().executeTakeFirst();
}

/**
 * Revokes the proofs of these logins in one statement, because there may be too many ids to pass on. Locks the proofs in
 * the order of their ids, as every statement that revokes some, to avoid deadlocks. Returns the affected devices.
 */
export async function markProofsRevoked(tx: Db, ended: EndedLogins): Promise<{ deviceId: number; userId: number }[]> {
  const { sessionIds, keepsAddresses = false, orphansOf = null } = ended;
  const isOrphan = sql`
    user_id = ${orphansOf} and granted_by in ('owner', 'member', 'own_address')
    and not exists (select from session where session.id = session_id)`;
  const { rows } = await sql<{ deviceId: number; userId: number }>`
    with locked as materialized (
      select id from verification
      where ${isValidNow} and (session_id = any(${sessionIds}::integer[]) or ${isOrphan})
        and (kind = 'cookie' or not ${keepsAddresses}::boolean)
      order by id for update
    ), ended as (
      update verification set revoked_at = now() from locked where verification.id = locked.id and ${isValidNow}
      returning mapping_id
    )
    select distinct device.id as device_id, device.user_id
    from mapping join device on device.id = mapping.device_id
    where mapping.id in (select mapping_id from ended)`.execute(tx);
  return rows;
}

/** Moves the valid proofs of these logins to another login. Locks them in the order of their ids. */
export async function moveProofs(tx: Db, fromSessionIds: readonly number[], toSessionId: number): Promise<void> {
  await sql`
    with locked as materialized (
      select id from verification where ${isValidNow} and session_id = any(${fromSessionIds}::integer[])
      order by id for update
    )
    update verification set session_id = ${toSessionId} from locked where verification.id = locked.id`.execute(tx);
}
