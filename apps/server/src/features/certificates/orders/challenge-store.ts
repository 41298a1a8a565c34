import { sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';
import { notify } from '../../../db/notify.ts';

export type KeyAuthorization = { token: string; keyAuthorization: string };

/** Every relay answers with these from now on, for at most an hour. */
export async function publishKeyAuthorizations(
  db: Db,
  certificateId: number,
  answers: KeyAuthorization[],
): Promise<void> {
  const expiresAt = sql<Date>`now() + interval '1 hour'`;
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('acmeChallenge')
      .values(answers.map((answer) => ({ ...answer, certificateId, expiresAt })))
      .onConflict((conflict) => conflict.column('token').doUpdateSet({ expiresAt }))
      .execute();
    await notify(tx, 'edge_changed', {});
  });
}

/** The answers of this certificate, and whatever a stopped process left behind. */
export async function deleteKeyAuthorizations(db: Db, certificateId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .deleteFrom('acmeChallenge')
      .where((eb) => eb.or([eb('certificateId', '=', certificateId), eb('expiresAt', '<', sql<Date>`now()`)]))
      .execute();
    await notify(tx, 'edge_changed', {});
  });
}
