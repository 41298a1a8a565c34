import { sql, type Kysely } from 'kysely';

/** Names that mappings had, and who may have them again before others: nobody where the account is gone. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table released_prefix (
      server_id   integer not null references server on delete cascade,
      prefix      text not null,
      user_id     integer references user_account on delete set null,
      released_at timestamptz not null default now(),
      primary key (server_id, prefix)
    )`.execute(db);
  await sql`create index released_prefix_user_id_idx on released_prefix (user_id)`.execute(db);
  await sql`create index released_prefix_released_at_idx on released_prefix (released_at)`.execute(db);
}
