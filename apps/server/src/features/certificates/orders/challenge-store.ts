import { sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';
import { notify } from '../../../db/notify.ts';

export type KeyAuthorization = { token: string; keyAuthorization: string };

/** Makes every relay serve these key authorizations, for at most an hour. */
export async function publishKeyAuthorizations(
  db: Db,
  certificateId: number,
  keyAuthorizations: KeyAuthorization[],
): Promise<void> {
  const expiresAt = sql<Date>`now() + interval '1 hour'`;
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('acmeChallenge')
      .values(keyAuthorizations.map((row) => ({ ...row, certificateId, expiresAt })))
      .onConflict((conflict) => conflict.column('token').doUpdateSet({ expiresAt }))
      .execute();
    await notify(tx, 'edge_changed', {});
  });
}

/** Deletes the key authorizations of this certificate, and expired ones that a stopped process left behind. */
export async function deleteKeyAuthorizations(db: Db, certificateId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .deleteFrom('acmeChallenge')
      .where((eb) => eb.or([eb('certificateId', '=', certificateId), eb('expiresAt', '<', sql<Date>`now()`)]))
      .execute();
    await notify(tx, 'edge_changed', {});
  });
}
