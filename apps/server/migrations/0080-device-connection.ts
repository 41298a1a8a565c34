import { sql, type Kysely } from 'kysely';

/** When and why a device came online and went offline, numbered for each device so that old rows are found by their number. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table device_connection (
      device_id      integer not null references device on delete cascade,
      number         integer not null,
      at             timestamptz not null,
      online         boolean not null,
      offline_reason text,
      public_ip      text not null,
      agent_version  text not null,
      primary key (device_id, number)
    )`.execute(db);
}
