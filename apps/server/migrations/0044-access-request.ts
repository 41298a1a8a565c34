import { sql, type Kysely } from 'kysely';

const events = sql.raw(`'device_offline', 'device_online', 'new_login', 'access_request'`);

/** Requests of accounts to open other users' mappings. An account that was allowed is a member, possibly for a time. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table access_request (
      id          integer generated always as identity primary key,
      mapping_id  integer not null references mapping on delete cascade,
      user_id     integer not null references user_account on delete cascade,
      message     text not null default '',
      created_at  timestamptz not null default now(),
      refused_at  timestamptz,
      unique (mapping_id, user_id)
    )`.execute(db);
  await sql`create index access_request_user_id_idx on access_request (user_id)`.execute(db);
  await sql`create index access_request_created_at_idx on access_request (created_at)`.execute(db);

  await sql`alter table mapping_member add column expires_at timestamptz`.execute(db);
  await sql`create index mapping_member_expires_at_idx on mapping_member (expires_at)`.execute(db);

  await sql`
    alter table alert_channel
      drop constraint alert_channel_events_check,
      add constraint alert_channel_events_check
        check (cardinality(events) > 0 and events <@ array[${events}])`.execute(db);
  await sql`
    alter table alert_delivery
      drop constraint alert_delivery_event_check,
      add constraint alert_delivery_event_check check (event in (${events}, 'test'))`.execute(db);
  // Without it no existing channel would report a request, which nobody sees who does not open the console.
  await sql`update alert_channel set events = array_append(events, 'access_request')`.execute(db);
}
