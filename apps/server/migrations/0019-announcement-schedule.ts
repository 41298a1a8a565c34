import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table announcement
      add column starts_at timestamptz,
      add column ends_at timestamptz,
      add column number integer unique,
      add check (starts_at < ends_at)`.execute(db);
  // Numbers are given in the order in which people first see them, so that one that begins later is unread then.
  await sql`create sequence announcement_number_seq as integer owned by announcement.number`.execute(db);
  await sql`update announcement set number = id`.execute(db);
  await sql`select setval('announcement_number_seq', (select coalesce(max(id), 0) + 1 from announcement), false)`.execute(
    db,
  );
}
