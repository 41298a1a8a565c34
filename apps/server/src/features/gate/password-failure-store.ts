import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/** Whose wrong passwords are counted together: one network's, at one mapping. */
export type Guesser = { mappingId: number; address: string };

const MAX_FAILURES = 10;
const lockTime = sql`interval '15 minutes'`;

/** How long the network may try no more; 0: it may. */
export async function readLock(db: Db, { mappingId, address }: Guesser): Promise<number> {
  const row = await db
    .selectFrom('gatePasswordFailure')
    .where('mappingId', '=', mappingId)
    .where('address', '=', address)
    .where('lockedUntil', '>', sql<Date>`now()`)
    .select(sql<number>`ceil(extract(epoch from locked_until - now()))::integer`.as('lockedSeconds'))
    .executeTakeFirst();
  return row?.lockedSeconds ?? 0;
}

/**
 * Counts a try as failed before its password is looked at, so that however many come at once, no more than MAX_FAILURES
 * passwords are ever tried. False when this one may not be.
 */
export async function claimGuess(db: Db, { mappingId, address }: Guesser): Promise<boolean> {
  const { rows } = await sql`
    insert into gate_password_failure as f (mapping_id, address, failures) values (${mappingId}, ${address}, 1)
    on conflict (mapping_id, address) do update set
      failures = case when f.last_at < now() - ${lockTime} then 1 else f.failures + 1 end,
      locked_until = case
        when f.last_at >= now() - ${lockTime} and f.failures + 1 >= ${MAX_FAILURES} then now() + ${lockTime}
      end,
      last_at = now()
    where f.locked_until is null or f.locked_until <= now()
    returning failures`.execute(db);
  return rows.length > 0;
}

export async function clearGuesses(db: Db, { mappingId, address }: Guesser): Promise<void> {
  await db
    .deleteFrom('gatePasswordFailure')
    .where('mappingId', '=', mappingId)
    .where('address', '=', address)
    .execute();
}

export async function deleteOldGuesses(db: Db): Promise<void> {
  await db
    .deleteFrom('gatePasswordFailure')
    .where(sql<boolean>`last_at < now() - ${lockTime}`)
    .execute();
}
