import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  // One living code for each browser that asked for one; those on their way now, of five minutes, are asked for again.
  await sql`delete from one_time_code`.execute(db);
  await sql`
    alter table one_time_code
      add browser_hash bytea not null check (length(browser_hash) = 32),
      drop constraint one_time_code_pkey,
      add primary key (purpose, address, browser_hash)`.execute(db);
}
