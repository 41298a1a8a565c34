import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration, type MigrationProvider } from 'kysely/migration';
import { z } from 'zod';
import { StartError } from '../start-error.ts';
import type { Db } from './driver.ts';

const migrationsDir = path.resolve(import.meta.dirname, '../../migrations');
const MigrationFile = z.object({ up: z.custom<Migration['up']>((value) => typeof value === 'function') });

/** Brings the tables up to date. Several starters at once are safe: an advisory lock lets one in at a time. Throws StartError. */
export async function migrate(db: Db): Promise<void> {
  await db.connection().execute(async (connection) => {
    // Waiting for another starter's migrations may take longer than a statement of a request may.
    await sql`set statement_timeout = 0`.execute(connection);
    try {
      await migrateOn(connection);
    } finally {
      await sql`reset statement_timeout`.execute(connection);
    }
  });
}

async function migrateOn(connection: Kysely<never> | Db): Promise<void> {
  const migrator = new Migrator({ db: connection, provider: migrations });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  // Kysely's own words for migrations in the database that we do not have, or have in another order.
  if (error instanceof Error && error.message.startsWith('corrupted migrations')) await refuseNewer(connection, error);
  const failed = results?.find((result) => result.status === 'Error');
  throw new Error(`migration ${failed?.migrationName ?? ''} failed`, { cause: error });
}

async function refuseNewer(connection: Kysely<never> | Db, cause: Error): Promise<void> {
  const known = await migrations.getMigrations();
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(connection);
  const newer = rows.map(({ name }) => name).filter((name) => !(name in known));
  if (newer.length > 0) throw new StartError('database.newer', newer.join('、'), { cause });
}

/** All of them, by name. */
export const migrations: MigrationProvider = {
  async getMigrations() {
    const found: Record<string, Migration> = {};
    for (const name of await readdir(migrationsDir)) {
      if (!name.endsWith('.ts')) continue;
      found[name.slice(0, -3)] = MigrationFile.parse(await import(path.join(migrationsDir, name)));
    }
    return found;
  },
};
