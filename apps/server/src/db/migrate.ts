import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration, type MigrationProvider } from 'kysely/migration';
import { z } from 'zod';
import { StartError } from '../start-error.ts';
import type { Db } from './driver.ts';

const migrationsDir = path.resolve(import.meta.dirname, '../../migrations');
const MigrationFile = z.object({ up: z.custom<Migration['up']>((value) => typeof value === 'function') });

/** Runs all pending migrations. Kysely's lock makes it safe for several processes at once. Throws StartError. */
export async function migrate(db: Db): Promise<void> {
  await db.connection().execute(async (connection) => {
    // The wait for another process's migrations may exceed the statement timeout of requests.
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
  // Kysely's message if the database has migrations that this version lacks, or has in another order.
  if (error instanceof Error && error.message.startsWith('corrupted migrations')) await refuseNewer(connection, error);
  const failed = results?.find((result) => result.status === 'Error');
  throw new Error(`migration ${failed?.migrationName ?? ''} failed`, { cause: error });
}

async function refuseNewer(connection: Kysely<never> | Db, cause: Error): Promise<void> {
  const { unknown } = await compareMigrations(connection);
  if (unknown.length > 0) throw new StartError('database.newer', unknown.join('、'), { cause });
}

/**
 * Verifies that the database has exactly the migrations of this version, for a command that uses the database of a
 * running product. Changes nothing. Throws StartError.
 */
export async function checkIsMigrated(db: Db): Promise<void> {
  const { rows } = await sql<{ isThere: boolean }>`
    select to_regclass('kysely_migration') is not null as is_there`.execute(db);
  if (rows[0]?.isThere !== true) throw new StartError('database.no-tables', '');
  const { applied, pending, unknown } = await compareMigrations(db);
  if (applied.length === 0) throw new StartError('database.no-tables', ''); // an interrupted first start
  const differences = [
    ...(pending.length > 0 ? [`缺少 ${pending.join('、')}`] : []),
    ...(unknown.length > 0 ? [`多出 ${unknown.join('、')}`] : []),
  ];
  if (differences.length > 0) throw new StartError('database.other-version', differences.join('；'));
}

/** Names of the database's migrations (`applied`), those it lacks (`pending`), and those this version lacks (`unknown`). */
async function compareMigrations(connection: Kysely<never> | Db) {
  const known = Object.keys(await migrations.getMigrations()).toSorted();
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(connection);
  const applied = rows.map(({ name }) => name);
  return {
    applied,
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  };
}

/** All migrations of their folder, by name. Each is loaded when it is run: most starts run none. */
export const migrations: MigrationProvider = {
  async getMigrations() {
    const files = (await readdir(migrationsDir)).filter((name) => name.endsWith('.ts'));
    return Object.fromEntries(files.map((file) => [path.basename(file, '.ts'), loadedWhenRun(file)]));
  },
};

function loadedWhenRun(file: string): Migration {
  return {
    async up(db) {
      await MigrationFile.parse(await import(path.join(migrationsDir, file))).up(db);
    },
  };
}
