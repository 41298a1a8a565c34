import { sql, type Kysely } from 'kysely';

/** Alert channels of accounts, and the absences that were reported. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table user_account
      add column offline_after_minutes integer not null default 5 check (offline_after_minutes > 0)`.execute(db);

  // An absence counts from when somebody wanted to hear of it.
  await sql`
    alter table device
      add column alerts_enabled boolean not null default true,
      add column watched_from timestamptz not null default now()`.execute(db);

  // The current absence that was reported, or would have been if there had been a channel.
  await sql`
    create table told_absence (
      device_id integer primary key references device on delete cascade,
      since     timestamptz not null,
      told_at   timestamptz not null default now()
    )`.execute(db);

  await sql`
    create table alert_channel (
      id             integer generated always as identity primary key,
      user_id        integer not null references user_account on delete cascade,
      kind           text not null
        check (kind in ('email', 'webhook', 'wecom', 'dingtalk', 'feishu', 'bark', 'serverchan')),
      name           text not null check (length(name) between 1 and 40),
      target_sealed  bytea not null,
      hint           text not null,
      has_secret     boolean not null,
      events         text[] not null
        check (cardinality(events) > 0 and events <@ array['device_offline', 'device_online', 'new_login']),
      enabled        boolean not null default true,
      created_at     timestamptz not null default now(),
      sending_until  timestamptz,
      last_sent_at   timestamptz,
      last_failed_at timestamptz,
      last_failure   text check (last_failure in (
        'address_refused', 'unreachable', 'timeout', 'rejected', 'rate_limited', 'email_missing', 'mail_unavailable')),
      check ((last_failed_at is null) = (last_failure is null))
    )`.execute(db);
  await sql`create index alert_channel_user_id_idx on alert_channel (user_id)`.execute(db);

  await sql`
    create table alert_delivery (
      id          integer generated always as identity primary key,
      channel_id  integer not null references alert_channel on delete cascade,
      event       text not null check (event in ('device_offline', 'device_online', 'new_login', 'test')),
      dedupe_key  text not null,
      news        jsonb not null,
      created_at  timestamptz not null default now(),
      attempts    integer not null default 0 check (attempts >= 0),
      next_try_at timestamptz not null default now(),
      sent_at     timestamptz,
      failed_at   timestamptz,
      failure     text check (failure in (
        'address_refused', 'unreachable', 'timeout', 'rejected', 'rate_limited', 'email_missing', 'mail_unavailable')),
      unique (channel_id, dedupe_key),
      check (sent_at is null or failed_at is null),
      check (failed_at is null or failure is not null)
    )`.execute(db);
  await sql`
    create index alert_delivery_waiting_idx on alert_delivery (next_try_at)
    where sent_at is null and failed_at is null`.execute(db);
  await sql`create index alert_delivery_sent_at_idx on alert_delivery (channel_id, sent_at)`.execute(db);
  await sql`create index alert_delivery_created_at_idx on alert_delivery (created_at)`.execute(db);

  // Sessions that are ended are deleted; who was here before is known without them.
  await sql`
    create table known_login (
      user_id integer not null references user_account on delete cascade,
      browser text not null,
      place   text not null,
      last_at timestamptz not null default now(),
      primary key (user_id, browser, place)
    )`.execute(db);
  await sql`create index known_login_last_at_idx on known_login (last_at)`.execute(db);
}
