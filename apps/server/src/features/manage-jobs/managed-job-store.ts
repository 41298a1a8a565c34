import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type ManagedJobRow = {
  name: string;
  everySeconds: number;
  nextRunAt: Date;
  lastStartedAt: Date | null;
  lastFinishedAt: Date | null;
  lastError: string | null;
  isRunning: boolean;
};

export async function listManagedJobs(db: Db, names: readonly string[]): Promise<ManagedJobRow[]> {
  return await db
    .selectFrom('job')
    .select(['name', 'everySeconds', 'nextRunAt', 'lastStartedAt', 'lastFinishedAt', 'lastError'])
    .select(sql<boolean>`coalesce(taken_until > now(), false)`.as('isRunning'))
    .where('name', 'in', names)
    .orderBy('name')
    .execute();
}
