import { sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';

/** False while any server process checks this device. The claim of a process that has died expires. */
export async function claimCheck(db: Db, deviceId: number, runId: string, maxSeconds: number): Promise<boolean> {
  const row = await db
    .insertInto('connectionCheck')
    .values({ deviceId, runId, expiresAt: sql`now() + make_interval(secs => ${maxSeconds})` })
    .onConflict((conflict) =>
      conflict
        .column('deviceId')
        .doUpdateSet((eb) => ({ runId: eb.ref('excluded.runId'), expiresAt: eb.ref('excluded.expiresAt') }))
        .where('connectionCheck.expiresAt', '<', sql<Date>`now()`),
    )
    .returning('deviceId')
    .executeTakeFirst();
  return row !== undefined;
}

export async function releaseCheck(db: Db, deviceId: number, runId: string): Promise<void> {
  await db.deleteFrom('connectionCheck').where('deviceId', '=', deviceId).where('runId', '=', runId).execute();
}
