import { sql, type Kysely } from 'kysely';

const failures = sql.raw(
  [
    'address_refused',
    'unreachable',
    'timeout',
    'rejected',
    'rate_limited',
    'email_missing',
    'mail_unavailable',
    'mail_failed',
  ]
    .map((failure) => `'${failure}'`)
    .join(', '),
);

/** Drops dedupe_key, because rows of absences and channels prevent repeated alerts, and allows further failures. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table alert_delivery drop column dedupe_key`.execute(db);
  await sql`
    alter table alert_delivery drop constraint alert_delivery_failure_check,
      add constraint alert_delivery_failure_check check (failure in (${failures}))`.execute(db);
  await sql`
    alter table alert_channel drop constraint alert_channel_last_failure_check,
      add constraint alert_channel_last_failure_check check (last_failure in (${failures}))`.execute(db);
}
