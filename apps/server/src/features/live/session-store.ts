import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/** Those of these sessions that have not ended or expired. */
export async function listActiveSessions(db: Db, idHashes: Buffer[]): Promise<Buffer[]> {
  if (idHashes.length === 0) return [];
  const rows = await db
    .selectFrom('session')
    .where((eb) => eb('idHash', '=', eb.fn.any(sql<Buffer[]>`${idHashes}::bytea[]`)))
    .where('expiresAt', '>', sql<Date>`now()`)
    .select('idHash')
    .execute();
  return rows.map((row) => row.idHash);
}
