import { sql, type Kysely } from 'kysely';

/**
 * Orders and plans. An order has a copy of what was sold. A plan has the id of the order that made it; orders that renew or
 * upgrade it change its end and its terms. A device has one plan at most.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table user_account
      add column payment_terms_version     integer,
      add column payment_terms_accepted_at timestamptz,
      add check ((payment_terms_version is null) = (payment_terms_accepted_at is null))`.execute(db);

  await sql`
    create table place (
      id          integer generated always as identity primary key,
      name        text not null check (length(name) between 1 and 40),
      note        text not null default '',
      promoter_id integer references user_account on delete set null,
      created_at  timestamptz not null default now()
    )`.execute(db);
  await sql`create index place_promoter_id_idx on place (promoter_id)`.execute(db);

  await sql`
    create table product_order (
      id               integer generated always as identity primary key,
      number           text not null unique,
      user_id          integer references user_account on delete set null,
      uuid_from_client uuid,
      kind             text not null check (kind in ('new', 'renew', 'upgrade', 'bulk', 'key', 'reward')),
      status           text not null check (status in ('open', 'paid', 'closed', 'refunded')),
      product_id       integer not null references product,
      product_name     text not null,
      days             integer not null check (days > 0),
      bandwidth_bps    bigint not null check (bandwidth_bps > 0),
      mapping_limit    integer not null check (mapping_limit > 0),
      app_kinds        text[] not null,
      price_fen        integer not null check (price_fen >= 0),
      quantity         integer not null default 1 check (quantity between 1 and 1000),
      amount_fen       integer not null check (amount_fen between 0 and 100000000),
      refunded_fen     integer not null default 0,
      device_id        integer references device on delete set null,
      plan_id          integer,
      place_id         integer references place,
      replaced_terms   jsonb,
      created_at       timestamptz not null default now(),
      closes_at        timestamptz not null,
      paid_at          timestamptz,
      closed_at        timestamptz,
      unique (user_id, uuid_from_client),
      check (refunded_fen between 0 and amount_fen),
      check (quantity = 1 or kind = 'bulk'),
      check (place_id is null or kind = 'bulk'),
      check ((paid_at is not null) = (status in ('paid', 'refunded'))),
      check ((closed_at is not null) = (status = 'closed')),
      check (status <> 'refunded' or refunded_fen = amount_fen),
      check (refunded_fen = 0 or paid_at is not null)
    )`.execute(db);
  await sql`create index product_order_user_id_idx on product_order (user_id, id)`.execute(db);
  await sql`create index product_order_open_idx on product_order (closes_at) where status = 'open'`.execute(db);
  await sql`create index product_order_product_id_idx on product_order (product_id)`.execute(db);
  await sql`create index product_order_device_id_idx on product_order (device_id)`.execute(db);
  await sql`create index product_order_place_id_idx on product_order (place_id)
    where place_id is not null`.execute(db);
  await sql`create index product_order_plan_id_idx on product_order (plan_id)`.execute(db);

  await sql`
    create table plan (
      id            integer primary key references product_order,
      user_id       integer not null references user_account on delete cascade,
      device_id     integer unique references device on delete set null,
      product_id    integer not null references product,
      product_name  text not null,
      days          integer not null check (days > 0),
      bandwidth_bps bigint not null check (bandwidth_bps > 0),
      mapping_limit integer not null check (mapping_limit > 0),
      app_kinds     text[] not null,
      price_fen     integer not null check (price_fen >= 0),
      starts_at     timestamptz not null,
      ends_at       timestamptz not null,
      reminded_for  text,
      check (ends_at >= starts_at)
    )`.execute(db);
  await sql`create index plan_user_id_ends_at_idx on plan (user_id, ends_at)`.execute(db);
  await sql`create index plan_ends_at_idx on plan (ends_at)`.execute(db);
  await sql`create index plan_product_id_idx on plan (product_id)`.execute(db);
  // What each device may use now. Without billing, which a start stores as a setting, it has no rows.
  await sql`
    create view device_allowance as
      select device.id as device_id, plan.id as plan_id, plan.product_name, plan.price_fen, plan.ends_at,
        plan.bandwidth_bps, plan.mapping_limit, plan.app_kinds, coalesce(plan.ends_at > now(), false) as is_valid
      from device left join plan on plan.device_id = device.id
      where exists (select from setting where name = 'billing' and value = '"on"')`.execute(db);

  // Set when the order is paid. An account's deletion deletes its plans; its orders stay, without the plan.
  await sql`
    alter table product_order
      add foreign key (plan_id) references plan on delete set null`.execute(db);
}
