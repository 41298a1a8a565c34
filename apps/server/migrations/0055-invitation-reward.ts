import { sql, type Kysely } from 'kysely';

/** Who invited whom, and the rewards for it. `user_account.invited_by` has the code as it was typed. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table user_account
      add column invitation_code  text unique,
      add column inviter_id       integer references user_account on delete set null,
      add column inviter_bound_at timestamptz,
      add check (inviter_id is null or inviter_id <> id)`.execute(db);
  await sql`create index user_account_inviter_id_idx on user_account (inviter_id)
    where inviter_id is not null`.execute(db);

  await sql`
    create table invitation_reward (
      id           integer generated always as identity primary key,
      user_id      integer not null references user_account on delete cascade,
      invitee_id   integer references user_account on delete set null,
      invitee_name text not null,
      event        text not null check (event in ('joined', 'paid')),
      status       text not null check (status in ('pending', 'claimable', 'claimed', 'void')),
      days         integer not null check (days > 0),
      worth_fen    integer not null check (worth_fen >= 0),
      order_id     integer references product_order,
      created_at   timestamptz not null default now(),
      claimable_at timestamptz,
      claimed_at   timestamptz,
      claimed_as   text check (claimed_as in ('days', 'key')),
      void_reason  text check (void_reason in ('refunded', 'same-person', 'monthly-cap')),
      unique (invitee_id, event),
      check ((status = 'claimed') = (claimed_at is not null)),
      check ((status = 'claimed') = (claimed_as is not null)),
      check ((status = 'void') = (void_reason is not null))
    )`.execute(db);
  await sql`create index invitation_reward_user_id_idx on invitation_reward (user_id, id)`.execute(db);
  await sql`create index invitation_reward_order_id_idx on invitation_reward (order_id)`.execute(db);
  await sql`create index invitation_reward_pending_idx on invitation_reward (claimable_at)
    where status = 'pending'`.execute(db);

  await createTraces(db);
}

/**
 * What shows that two accounts belong to one person: each phone number, WeChat account and device key that an account ever
 * had, and the networks of its logins while billing is on. Hashes, because they are only compared. Triggers see every way in
 * which an account gets one.
 */
async function createTraces(db: Kysely<never>): Promise<void> {
  await sql`
    create table person_trace (
      user_id    integer not null references user_account on delete cascade,
      kind       text not null check (kind in ('phone', 'wechat', 'device', 'network')),
      value_hash bytea not null check (length(value_hash) = 32),
      first_at   timestamptz not null default now(),
      last_at    timestamptz not null default now(),
      primary key (user_id, kind, value_hash)
    )`.execute(db);
  await sql`create index person_trace_last_at_idx on person_trace (last_at) where kind = 'network'`.execute(db);

  // Null for a private address, which says nothing about who it is, and for a text that is none.
  await sql`
    create function public_network(ip text) returns text language plpgsql immutable as $$
    declare address inet;
    begin
      address := regexp_replace(ip, '^::ffff:(?=[0-9]+[.])', '', 'i')::inet;
      if address <<= any (array['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8', '169.254.0.0/16',
        '100.64.0.0/10', '::1/128', 'fc00::/7', 'fe80::/10']::inet[]) then
        return null;
      end if;
      return case family(address) when 4 then host(address) else network(set_masklen(address, 64))::text end;
    exception when invalid_text_representation then
      return null;
    end $$`.execute(db);
  await sql`
    create function trace_hash(value text) returns bytea language sql immutable
    return sha256(convert_to(value, 'UTF8'))`.execute(db);
  await sql`
    create function remember_trace(of_user integer, of_kind text, value text) returns void language sql as $$
      insert into person_trace (user_id, kind, value_hash)
      select of_user, of_kind, trace_hash(value) where value is not null
      on conflict (user_id, kind, value_hash) do update set last_at = now()
    $$`.execute(db);
  await createTraceTriggers(db);

  await sql`select remember_trace(id, 'phone', phone_number) from user_account`.execute(db);
  await sql`
    select remember_trace(user_id, 'wechat', app_id || ' ' || open_id), remember_trace(user_id, 'wechat', union_id)
    from wechat_account`.execute(db);
  await sql`select remember_trace(user_id, 'device', encode(public_key, 'hex')) from device`.execute(db);
}

async function createTraceTriggers(db: Kysely<never>): Promise<void> {
  await sql`
    create function trace_phone() returns trigger language plpgsql as $$
    begin
      perform remember_trace(new.id, 'phone', new.phone_number);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger user_account_trace after insert or update of phone_number on user_account
    for each row execute function trace_phone()`.execute(db);
  await sql`
    create function trace_wechat() returns trigger language plpgsql as $$
    begin
      perform remember_trace(new.user_id, 'wechat', new.app_id || ' ' || new.open_id);
      perform remember_trace(new.user_id, 'wechat', new.union_id);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger wechat_account_trace after insert or update on wechat_account
    for each row execute function trace_wechat()`.execute(db);
  await sql`
    create function trace_device() returns trigger language plpgsql as $$
    begin
      perform remember_trace(new.user_id, 'device', encode(new.public_key, 'hex'));
      return null;
    end $$`.execute(db);
  await sql`
    create trigger device_trace after insert or update of user_id, public_key on device
    for each row execute function trace_device()`.execute(db);
  await sql`
    create function trace_network() returns trigger language plpgsql as $$
    begin
      if exists (select from setting where name = 'billing' and value = '"on"') then
        perform remember_trace(new.user_id, 'network', public_network(new.ip));
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger session_trace after insert or update of ip on session
    for each row execute function trace_network()`.execute(db);
}
