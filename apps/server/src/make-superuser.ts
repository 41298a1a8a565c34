import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import { openDbBeside, type DbConnection } from './db/driver.ts';
import { migrate } from './db/migrate.ts';
import { makeSuperuser } from './features/roles/index.ts';

/**
 * Makes an account a superuser, whether or not the product is running. Returns the account's name as it is written; undefined
 * where no account has it. Throws StartError.
 */
export async function makeSuperuserIn(
  database: DbConnection,
  username: string,
  log: Logger,
): Promise<string | undefined> {
  // A folder without a database has no accounts, and gets none by a mistyped name of it.
  if ('embeddedDir' in database && !existsSync(path.join(database.embeddedDir, 'PG_VERSION'))) return undefined;
  await using open = await openDbBeside(database, log);
  await migrate(open.db);
  return await makeSuperuser(open.db, log, username);
}
