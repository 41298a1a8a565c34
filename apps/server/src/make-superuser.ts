import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import { openDbBeside, type DbConnection } from './db/driver.ts';
import { checkIsMigrated } from './db/migrate.ts';
import { makeSuperuser } from './features/roles/index.ts';
import { StartError } from './start-error.ts';

/**
 * Makes an account a superuser, whether or not the product is running. Returns the account's name as it is stored, or
 * undefined if there is no such account. Throws StartError.
 * It never migrates, because a running product of another version may be using the database.
 */
export async function makeSuperuserIn(
  database: DbConnection,
  username: string,
  log: Logger,
): Promise<string | undefined> {
  // openDb would create a database in any folder, also in one whose name was mistyped.
  if ('embeddedDir' in database && !existsSync(path.join(database.embeddedDir, 'PG_VERSION')))
    throw new StartError('database.no-tables', database.embeddedDir);
  await using open = await openDbBeside(database, log);
  await checkIsMigrated(open.db);
  return await makeSuperuser(open.db, log, username);
}
