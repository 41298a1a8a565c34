import { sql, type Kysely } from 'kysely';

/** Who may visit a mapping besides its owner, and on what grounds somebody was let in. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table mapping
      drop constraint mapping_policy_check,
      add column password_hash    text,
      add column password_version integer not null default 0,
      add constraint mapping_policy_check check (policy in ('owner', 'password', 'public', 'closed')),
      add constraint mapping_password_check
        check (policy <> 'password' or (password_hash is not null and port is null and not tls_passthrough))`.execute(
    db,
  );

  await sql`
    create table share_link (
      id          integer generated always as identity primary key,
      mapping_id  integer not null references mapping on delete cascade,
      code_hash   bytea not null unique check (length(code_hash) = 32),
      code_sealed bytea not null,
      label       text not null default '' check (length(label) <= 40),
      created_at  timestamptz not null default now(),
      expires_at  timestamptz not null,
      max_uses    integer check (max_uses > 0),
      uses        integer not null default 0 check (uses >= 0 and uses <= max_uses),
      revoked_at  timestamptz
    )`.execute(db);
  await sql`create index share_link_mapping_id_idx on share_link (mapping_id)`.execute(db);
  await sql`create index share_link_expires_at_idx on share_link (expires_at)`.execute(db);

  await sql`
    create table mapping_member (
      id         integer generated always as identity primary key,
      mapping_id integer not null references mapping on delete cascade,
      contact    text not null,
      created_at timestamptz not null default now(),
      unique (mapping_id, contact)
    )`.execute(db);

  await sql`
    create table gate_password_failure (
      mapping_id   integer not null references mapping on delete cascade,
      address      text not null,
      failures     integer not null,
      last_at      timestamptz not null default now(),
      locked_until timestamptz,
      primary key (mapping_id, address)
    )`.execute(db);
  await sql`create index gate_password_failure_last_at_idx on gate_password_failure (last_at)`.execute(db);

  // Tickets live for a minute; what they were given for is looked at again when they are used.
  await sql`
    alter table gate_ticket
      alter column user_id drop not null,
      add column granted_by       text not null default 'owner' check (granted_by in ('owner', 'member', 'password', 'share')),
      add column member_id        integer references mapping_member on delete cascade,
      add column share_link_id    integer references share_link on delete cascade,
      add column password_version integer`.execute(db);
  await sql`create index gate_ticket_member_id_idx on gate_ticket (member_id)`.execute(db);
  await sql`create index gate_ticket_share_link_id_idx on gate_ticket (share_link_id)`.execute(db);

  // The record outlives the account, the member and the link: its owner may look at it for 90 days.
  await sql`
    alter table verification
      alter column user_id drop not null,
      drop constraint verification_user_id_fkey,
      add constraint verification_user_id_fkey foreign key (user_id) references user_account on delete set null,
      add column granted_by text not null default 'owner'
        check (granted_by in ('owner', 'member', 'password', 'share', 'mark_client', 'own_address')),
      add column who               text not null default '',
      add column member_id         integer references mapping_member on delete set null,
      add column share_link_id     integer references share_link on delete set null,
      add column cookie_expires_at timestamptz`.execute(db);
  await sql`update verification set granted_by = 'own_address' where kind = 'ip'`.execute(db);
  await sql`update verification set cookie_expires_at = expires_at where kind = 'cookie'`.execute(db);
  await sql`
    alter table verification
      add constraint verification_cookie_check check ((kind = 'cookie') = (cookie_expires_at is not null))`.execute(db);
  await sql`create index verification_member_id_idx on verification (member_id)`.execute(db);
  await sql`create index verification_share_link_id_idx on verification (share_link_id)`.execute(db);
  await sql`create index verification_visitor_ip_idx on verification (visitor_ip) where kind = 'ip'`.execute(db);

  // The newest one of each mapping: a claim is one update of this row.
  await sql`
    create table client_window (
      mapping_id      integer primary key references mapping on delete cascade,
      open_until      timestamptz not null,
      claimed_at      timestamptz,
      verification_id integer references verification on delete set null
    )`.execute(db);
  await sql`create index client_window_verification_id_idx on client_window (verification_id)`.execute(db);
}
