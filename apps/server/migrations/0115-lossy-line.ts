import { type Kysely, sql } from 'kysely';

/** How much is lost between a device and a relay, and its round trip; null: the line is not known to lose packets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table device_presence
      add column loss_percent real,
      add column rtt_ms integer`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table device_presence drop column loss_percent, drop column rtt_ms`.execute(db);
}
