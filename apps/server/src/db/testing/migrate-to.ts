import { Migrator } from 'kysely/migration';
import type { Db } from '../driver.ts';
import { migrations } from '../migrate.ts';

/** Migrates up to and including the named migration. */
export async function migrateTo(db: Db, name: string): Promise<void> {
  const { error } = await new Migrator({ db, provider: migrations }).migrateTo(name);
  if (error !== undefined) throw new Error(`could not migrate to ${name}`, { cause: error });
}
