import { sql, type Kysely } from 'kysely';

// The alerts about plans come with another migration, before or after this one; both allow all events.
const events = sql.raw(
  `'device_offline', 'device_online', 'new_login', 'passkey_added', 'access_request', 'plan_expiring', 'plan_expired',
   'ledger_unbalanced'`,
);

/** The alert that the ledger does not balance, for superusers. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table alert_channel
      drop constraint alert_channel_events_check,
      add constraint alert_channel_events_check
        check (cardinality(events) > 0 and events <@ array[${events}])`.execute(db);
  await sql`
    alter table alert_delivery
      drop constraint alert_delivery_event_check,
      add constraint alert_delivery_event_check check (event in (${events}, 'test'))`.execute(db);
  await sql`
    update alert_channel set events = array_append(events, 'ledger_unbalanced')
    where user_id in (select id from user_account where is_superuser)`.execute(db);
}
