import { sql, type Kysely } from 'kysely';

/** Challenges with the answers that only the server knows, and the tickets for right answers. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table captcha_challenge (
      key          text primary key,
      type         text not null check (type in ('click', 'slide', 'drag', 'rotate')),
      purpose      text not null,
      browser_hash bytea not null check (length(browser_hash) = 32),
      network      text not null,
      answer       jsonb,
      created_at   timestamptz not null default now(),
      drawn_at     timestamptz,
      expires_at   timestamptz not null,
      answered_at  timestamptz,
      passed       boolean
    )`.execute(db);
  await sql`create index captcha_challenge_expires_at_idx on captcha_challenge (expires_at)`.execute(db);
  await sql`
    create table captcha_ticket (
      ticket_hash  bytea primary key check (length(ticket_hash) = 32),
      purpose      text not null,
      browser_hash bytea not null check (length(browser_hash) = 32),
      expires_at   timestamptz not null,
      used_at      timestamptz
    )`.execute(db);
  await sql`create index captcha_ticket_expires_at_idx on captcha_ticket (expires_at)`.execute(db);
}
