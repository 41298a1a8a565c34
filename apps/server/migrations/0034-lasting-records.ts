import { sql, type Kysely } from 'kysely';

/**
 * Verifications outlive their mapping, device, member and share link, and are deleted with their owner's account only. They
 * keep the ids of deleted rows, which are never reused. Setting these to null would write each record, in any order.
 */
export async function up(db: Kysely<never>): Promise<void> {
  // Every row is written once: the indexes are made afterwards.
  for (const columns of indexes.keys()) await sql`drop index if exists ${sql.id(indexName(columns))}`.execute(db);
  await sql`drop index verification_expires_at_idx`.execute(db);
  await sql`
    alter table verification
      drop constraint verification_user_id_fkey,
      drop constraint verification_mapping_id_fkey,
      drop constraint verification_member_id_fkey,
      drop constraint verification_share_link_id_fkey,
      add column owner_id  integer,
      add column device_id integer`.execute(db);
  await sql`
    update verification set owner_id = device.user_id, device_id = device.id
    from mapping join device on device.id = mapping.device_id
    where mapping.id = verification.mapping_id`.execute(db);
  await sql`
    alter table verification
      alter column owner_id set not null,
      alter column device_id set not null,
      add constraint verification_owner_id_fkey foreign key (owner_id) references user_account on delete cascade`.execute(
    db,
  );
  for (const [columns, condition] of indexes) {
    const name = sql.id(indexName(columns));
    await sql`create index ${name} on verification (${sql.raw(columns)}) ${sql.raw(condition)}`.execute(db);
  }
  // What is deleted after 90 days; found by the same words.
  await sql`create index verification_ended_at_idx on verification (least(expires_at, revoked_at))`.execute(db);

  // A record that is deleted looked here for its window, one by one.
  await sql`alter table client_window drop constraint client_window_verification_id_fkey`.execute(db);
  await sql`drop index client_window_verification_id_idx`.execute(db);

  // What records of deleted mappings are shown with, as it was. The ids are those that the rows had.
  await sql`
    create table gone_mapping (
      id          integer primary key,
      owner_id    integer not null references user_account on delete cascade,
      device_id   integer not null,
      device_name text not null,
      kind        text not null,
      domain      text not null,
      port        integer,
      deleted_at  timestamptz not null default now()
    )`.execute(db);
  await sql`create index gone_mapping_owner_id_device_id_idx on gone_mapping (owner_id, device_id)`.execute(db);
  await sql`create index gone_mapping_deleted_at_idx on gone_mapping (deleted_at)`.execute(db);
}

const indexes = new Map([
  ['user_id', ''],
  ['owner_id, id', ''],
  ['member_id', 'where member_id is not null'],
  ['share_link_id', 'where share_link_id is not null'],
  ['visitor_ip', `where kind = 'ip'`],
  ['device_id, cookie_expires_at', 'where cookie_expires_at is not null'],
  ['mapping_id, cookie_expires_at', ''],
  ['session_id, cookie_expires_at', 'where session_id is not null'],
  ['mapping_id, told_until', 'where told_until is not null'],
]);

function indexName(columns: string): string {
  return `verification_${columns.replaceAll(', ', '_')}_idx`;
}
