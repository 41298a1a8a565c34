import { Migrator } from 'kysely/migration';
import type { Db } from '../driver.ts';
import { migrations } from '../migrate.ts';

/** Brings the tables to where the named migration left them. */
export async function migrateTo(db: Db, name: string): Promise<void> {
  const { error } = await new Migrator({ db, provider: migrations }).migrateTo(name);
  if (error !== undefined) throw new Error(`no way to ${name}`, { cause: error });
}
