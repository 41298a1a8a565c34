import { sql, type Kysely } from 'kysely';

/** Repeated jobs. The process that takes a due job's row runs it; `taken_until` lets another one take over after a crash. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table job (
      name             text primary key,
      every_seconds    integer not null check (every_seconds > 0),
      next_run_at      timestamptz not null default now(),
      taken_until      timestamptz,
      last_started_at  timestamptz,
      last_finished_at timestamptz,
      last_error       text
    )`.execute(db);
}
