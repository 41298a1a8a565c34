import { sql, type Kysely } from 'kysely';

/** A device that runs frpc wakes hosts only with a proxy for it, which its configuration may lack. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table cloud_app_wake drop constraint cloud_app_wake_result_check`.execute(db);
  await sql`
    alter table cloud_app_wake add constraint cloud_app_wake_result_check
      check (result in ('sent', 'device-offline', 'agent-outdated', 'no-wake-proxy', 'failed'))`.execute(db);
}
