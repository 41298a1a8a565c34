import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table gate_ticket (
      ticket_hash bytea primary key check (length(ticket_hash) = 32),
      user_id     integer not null references user_account on delete cascade,
      mapping_id  integer not null references mapping on delete cascade,
      host        text not null,
      expires_at  timestamptz not null,
      used_at     timestamptz
    )`.execute(db);
  await sql`create index gate_ticket_user_id_idx on gate_ticket (user_id)`.execute(db);
  await sql`create index gate_ticket_mapping_id_idx on gate_ticket (mapping_id)`.execute(db);
  await sql`create index gate_ticket_expires_at_idx on gate_ticket (expires_at)`.execute(db);

  await sql`
    create table verification (
      id         integer generated always as identity primary key,
      user_id    integer not null references user_account on delete cascade,
      mapping_id integer not null references mapping on delete cascade,
      host       text not null,
      visitor_ip text not null,
      user_agent text not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index verification_user_id_idx on verification (user_id)`.execute(db);
  await sql`create index verification_mapping_id_idx on verification (mapping_id)`.execute(db);
  await sql`create index verification_expires_at_idx on verification (expires_at)`.execute(db);
}
