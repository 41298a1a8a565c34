import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table mapping_usage_hour (
      mapping_id    integer not null references mapping on delete cascade,
      hour          timestamptz not null,
      bytes_in      bigint not null,
      bytes_out     bigint not null,
      requests      bigint not null,
      ok            bigint not null,
      client_errors bigint not null,
      server_errors bigint not null,
      failed        bigint not null,
      first_byte_ms double precision not null,
      answered      bigint not null,
      primary key (mapping_id, hour)
    )`.execute(db);
  await sql`create index mapping_usage_hour_hour_idx on mapping_usage_hour (hour)`.execute(db);

  // The last report that was added, for each start of a relay: a repeated one must not count again.
  await sql`
    create table usage_report (
      relay_id  text not null references relay on delete cascade,
      boot_id   text not null,
      sequence  bigint not null check (sequence > 0),
      stored_at timestamptz not null default now(),
      primary key (relay_id, boot_id)
    )`.execute(db);
}
