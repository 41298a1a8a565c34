import { type Kysely, sql } from 'kysely';

/** What a mapping sends to its service, and how long it waits for it. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table mapping
      drop constraint mapping_host_header_check,
      add column host_name         text not null default '',
      add column visitor_fields    text not null default 'send'
        check (visitor_fields in ('send', 'omit_address', 'omit')),
      add column forwarded_proto   text not null default 'follow_host'
        check (forwarded_proto in ('follow_host', 'http', 'https')),
      add column origin_fields     text not null default 'follow_host'
        check (origin_fields in ('follow_host', 'keep', 'rewrite')),
      add column tls_name          text not null default '',
      add column answer_timeout_s  integer not null default 60 check (answer_timeout_s between 10 and 3600),
      add column silence_timeout_s integer not null default 300 check (silence_timeout_s between 30 and 86400),
      add constraint mapping_host_header_check check (host_header in ('keep', 'rewrite', 'custom')),
      add constraint mapping_host_name_check check ((host_name <> '') = (host_header = 'custom')),
      add constraint mapping_tls_name_check check (tls_name = '' or (kind = 'https' and not tls_passthrough))`.execute(
    db,
  );
}

export async function down(db: Kysely<never>): Promise<void> {
  await sql`
    alter table mapping
      drop column host_name, drop column visitor_fields, drop column forwarded_proto, drop column origin_fields,
      drop column tls_name, drop column answer_timeout_s, drop column silence_timeout_s`.execute(db);
  await sql`update mapping set host_header = 'rewrite' where host_header = 'custom'`.execute(db);
  await sql`
    alter table mapping
      drop constraint mapping_host_header_check,
      add constraint mapping_host_header_check check (host_header in ('keep', 'rewrite'))`.execute(db);
}
