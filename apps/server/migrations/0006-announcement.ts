import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table announcement (
      id         integer generated always as identity primary key,
      title      text not null check (length(title) between 1 and 60),
      detail     text not null check (length(detail) <= 2000),
      url        text not null default '' check (url = '' or url ~ '^https?://'),
      display    boolean not null default true,
      created_at timestamptz not null default now()
    )`.execute(db);
}
