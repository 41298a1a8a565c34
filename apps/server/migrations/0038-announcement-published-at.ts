import { sql, type Kysely } from 'kysely';

/** The date that people see beside an announcement: when it was first shown. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table announcement add column published_at timestamptz`.execute(db);
  await sql`
    update announcement set published_at = coalesce(starts_at, created_at) where number is not null`.execute(db);
}
