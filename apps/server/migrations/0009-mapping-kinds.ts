import { sql, type Kysely } from 'kysely';

/** A mapping has one public address: a name below the suffix, a domain of the user's own, or a port. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table mapping
      alter column prefix drop not null,
      drop constraint mapping_kind_check,
      add column custom_domain    text unique check (custom_domain = lower(custom_domain) and length(custom_domain) <= 253),
      add column port             integer check (port between 1 and 65535),
      add column host_header      text not null default 'keep' check (host_header in ('keep', 'rewrite')),
      add column verify_tls       boolean not null default false,
      add column tls_passthrough  boolean not null default false,
      add column proxy_protocol   boolean not null default false,
      add column opens_at         timestamptz,
      add column closes_at        timestamptz,
      add column hours_days       integer[],
      add column hours_from       integer check (hours_from between 0 and 1439),
      add column hours_to         integer check (hours_to between 0 and 1440),
      add constraint mapping_kind_check check (kind in ('http', 'https', 'tcp', 'udp')),
      add constraint mapping_address_check check (num_nonnulls(prefix, custom_domain, port) = 1),
      add constraint mapping_port_kind_check check ((port is not null) = (kind in ('tcp', 'udp'))),
      add constraint mapping_verify_tls_check check (not verify_tls or (kind = 'https' and not tls_passthrough)),
      add constraint mapping_tls_passthrough_check
        check (not tls_passthrough or (kind = 'https' and custom_domain is not null)),
      add constraint mapping_proxy_protocol_check check (not proxy_protocol or kind = 'tcp' or tls_passthrough),
      add constraint mapping_closes_at_check check (closes_at > opens_at),
      add constraint mapping_hours_check check (
        num_nonnulls(hours_days, hours_from, hours_to) in (0, 3) and hours_from <> hours_to
        and cardinality(hours_days) between 1 and 7 and hours_days <@ array[1, 2, 3, 4, 5, 6, 7]),
      add constraint mapping_server_id_kind_port_key unique (server_id, kind, port)`.execute(db);

  await sql`
    alter table device
      add column allow_list    text[] not null default '{}' check (cardinality(allow_list) <= 8),
      add column bandwidth_bps bigint check (bandwidth_bps > 0)`.execute(db);

  // Of kind ip: lets an address pass for what cannot hold a cookie.
  await sql`
    alter table verification
      add column kind       text not null default 'cookie' check (kind in ('cookie', 'ip')),
      add column revoked_at timestamptz`.execute(db);
}
