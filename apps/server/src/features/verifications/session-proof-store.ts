import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { stillCounts } from './verification-store.ts';

/** Logins that end, and what of theirs ends with them. */
export type EndedLogins = {
  sessionIds: readonly number[];
  /** Addresses pass until their time is over. */
  keepsAddresses?: boolean;
  /** The account, when also that ends which its logins opened that are over already, or are not known. */
  forgottenOf?: number;
};

/** Nobody ends the login until the transaction ends. To be locked before any proof of it. */
export async function findSessionForKeyShare(tx: Db, sessionId: number): Promise<{ id: number } | undefined> {
  return await tx.selectFrom('session').select('id').where('id', '=', sessionId).forKeyShare().executeTakeFirst();
}

/**
 * Ends what they opened, in one statement: no list of ids leaves the database, for there may be any number. Returns whose
 * devices that was. The proofs are locked first, in the order of their ids, as by everybody who ends some.
 */
export async function markProofsRevoked(tx: Db, ended: EndedLogins): Promise<{ deviceId: number; userId: number }[]> {
  const { sessionIds, keepsAddresses = false, forgottenOf = null } = ended;
  const isForgotten = sql`
    user_id = ${forgottenOf} and granted_by in ('owner', 'member', 'own_address')
    and not exists (select from session where session.id = session_id)`;
  const { rows } = await sql<{ deviceId: number; userId: number }>`
    with locked as materialized (
      select id from verification
      where ${stillCounts} and (session_id = any(${sessionIds}::integer[]) or ${isForgotten})
        and (kind = 'cookie' or not ${keepsAddresses}::boolean)
      order by id for update
    ), ended as (
      update verification set revoked_at = now() from locked where verification.id = locked.id and ${stillCounts}
      returning mapping_id
    )
    select distinct device.id as device_id, device.user_id
    from mapping join device on device.id = mapping.device_id
    where mapping.id in (select mapping_id from ended)`.execute(tx);
  return rows;
}

/** Gives another login all that these opened and that still counts; locked like what is ended. */
export async function moveProofs(tx: Db, fromSessionIds: readonly number[], toSessionId: number): Promise<void> {
  await sql`
    with locked as materialized (
      select id from verification where ${stillCounts} and session_id = any(${fromSessionIds}::integer[])
      order by id for update
    )
    update verification set session_id = ${toSessionId} from locked where verification.id = locked.id`.execute(tx);
}
