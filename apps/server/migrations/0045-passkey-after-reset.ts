import { sql, type Kysely } from 'kysely';

const events = sql.raw(`'device_offline', 'device_online', 'new_login', 'passkey_added', 'access_request'`);

/** Passkeys that need a password beside them since it was reset, and the alert about a new passkey. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table passkey add column needs_password boolean not null default false`.execute(db);

  await sql`
    alter table alert_channel
      drop constraint alert_channel_events_check,
      add constraint alert_channel_events_check
        check (cardinality(events) > 0 and events <@ array[${events}])`.execute(db);
  await sql`
    alter table alert_delivery
      drop constraint alert_delivery_event_check,
      add constraint alert_delivery_event_check check (event in (${events}, 'test'))`.execute(db);
  // Who wants to hear of a login from elsewhere wants to hear of a new way to log in.
  await sql`
    update alert_channel set events = array_append(events, 'passkey_added')
    where 'new_login' = any(events)`.execute(db);
}
