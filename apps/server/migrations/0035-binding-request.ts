import { sql, type Kysely } from 'kysely';

/** Agents without a token that wait until somebody adds them by a link; `user_id` is who did. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table binding_request (
      code_hash     bytea primary key check (length(code_hash) = 32),
      public_key    bytea not null check (length(public_key) = 32),
      name          text not null,
      platform      text not null,
      agent_version text not null,
      ip            text not null,
      expires_at    timestamptz not null,
      user_id       integer references user_account on delete cascade,
      used_at       timestamptz
    )`.execute(db);
  await sql`create index binding_request_user_id_idx on binding_request (user_id)`.execute(db);
  await sql`create index binding_request_expires_at_idx on binding_request (expires_at)`.execute(db);
}
