import { sql, type Kysely } from 'kysely';

/** Who did what to whom. No foreign keys: entries outlive accounts, and nothing ever changes them. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table audit_entry (
      id          integer generated always as identity primary key,
      at          timestamptz not null default now(),
      actor_id    integer,
      actor       text not null,
      ip          text not null,
      action      text not null,
      object_type text not null,
      object_id   integer,
      object_name text not null,
      before      jsonb not null default '{}',
      after       jsonb not null default '{}'
    )`.execute(db);
  await sql`create index audit_entry_actor_id_idx on audit_entry (actor_id, id)`.execute(db);
  await sql`create index audit_entry_action_idx on audit_entry (action text_pattern_ops, id)`.execute(db);
  await sql`
    create trigger audit_entry_append_only before update or delete or truncate on audit_entry
    for each statement execute function refuse_change()`.execute(db);

  await sql`alter table device add column suspended_at timestamptz`.execute(db);
}
