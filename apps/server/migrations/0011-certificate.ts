import { sql, type Kysely } from 'kysely';

/** Certificates that the installation orders by itself (ACME, RFC 8555); private keys are sealed. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table acme_account (
      directory_url text primary key,
      key_sealed    bytea not null,
      account_url   text,
      email         text not null default '',
      created_at    timestamptz not null default now()
    )`.execute(db);

  // A row stays for a while after nobody wants its certificate: it remembers the failures, which count against the name.
  await sql`
    create table certificate (
      id               integer generated always as identity primary key,
      subject          text not null unique check (subject = lower(subject)),
      names            text[] not null check (cardinality(names) > 0),
      origin           text not null check (origin in ('console', 'custom_domain')),
      challenge        text not null check (challenge in ('http-01', 'dns-01')),
      wanted           boolean not null default true,
      issued_names     text[],
      issued_by        text,
      chain            text,
      key_sealed       bytea,
      not_before       timestamptz,
      not_after        timestamptz,
      next_try_at      timestamptz not null default now(),
      failures         integer not null default 0 check (failures >= 0),
      problem          text,
      problem_detail   text not null default '',
      claim            text,
      claimed_until    timestamptz,
      order_url        text,
      order_key_sealed bytea,
      created_at       timestamptz not null default now(),
      constraint certificate_issued_check
        check (num_nonnulls(issued_names, issued_by, chain, key_sealed, not_before, not_after) in (0, 6)),
      constraint certificate_claim_check check (num_nonnulls(claim, claimed_until) in (0, 2)),
      constraint certificate_order_check check (num_nonnulls(order_url, order_key_sealed) in (0, 2))
    )`.execute(db);
  await sql`create index certificate_next_try_at_idx on certificate (next_try_at)`.execute(db);

  await sql`
    create table acme_challenge (
      token             text primary key,
      certificate_id    integer not null references certificate on delete cascade,
      key_authorization text not null,
      expires_at        timestamptz not null
    )`.execute(db);
  await sql`create index acme_challenge_certificate_id_idx on acme_challenge (certificate_id)`.execute(db);
}
