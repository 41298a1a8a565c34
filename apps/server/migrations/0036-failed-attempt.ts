import { sql, type Kysely } from 'kysely';

/** Wrong passwords of accounts and of mappings are counted in one table; what is locked stays locked. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table login_failure rename to failed_attempt`.execute(db);
  await sql`alter table failed_attempt rename column account to key`.execute(db);
  await sql`alter index login_failure_pkey rename to failed_attempt_pkey`.execute(db);
  await sql`create index failed_attempt_last_at_idx on failed_attempt (last_at)`.execute(db);
  await sql`
    insert into failed_attempt (key, failures, last_at, locked_until)
    select 'mapping:' || mapping_id || ':' || address, failures, last_at, locked_until from gate_password_failure`.execute(
    db,
  );
  await sql`drop table gate_password_failure`.execute(db);
}
