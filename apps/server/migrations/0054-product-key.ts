import { sql, type Kysely } from 'kysely';

/** Redemption codes. A key is found by its hash; its sealed text is for those who hand it out. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table key_batch (
      id            integer generated always as identity primary key,
      product_id    integer not null references product,
      product_name  text not null,
      days          integer not null check (days > 0),
      bandwidth_bps bigint not null check (bandwidth_bps > 0),
      mapping_limit integer not null check (mapping_limit > 0),
      app_kinds     text[] not null,
      price_fen     integer not null check (price_fen >= 0),
      place_id      integer references place,
      order_id      integer unique references product_order,
      key_count     integer not null check (key_count between 1 and 1000),
      expires_at    timestamptz,
      created_at    timestamptz not null default now()
    )`.execute(db);
  await sql`create index key_batch_place_id_idx on key_batch (place_id)`.execute(db);
  await sql`create index key_batch_product_id_idx on key_batch (product_id)`.execute(db);

  await sql`
    create table product_key (
      id          integer generated always as identity primary key,
      batch_id    integer not null references key_batch,
      place_id    integer references place,
      key_hash    bytea not null unique check (length(key_hash) = 32),
      key_sealed  bytea not null,
      hint        text not null,
      status      text not null default 'unused'
        check (status in ('unused', 'issued', 'redeemed', 'void', 'expired')),
      note        text not null default '',
      owner_id    integer references user_account on delete set null,
      expires_at  timestamptz,
      changed_at  timestamptz not null default now(),
      redeemed_at timestamptz,
      redeemed_by integer references user_account on delete set null,
      order_id    integer unique references product_order,
      check ((status = 'redeemed') = (redeemed_at is not null)),
      check ((status = 'redeemed') = (order_id is not null))
    )`.execute(db);
  await sql`create index product_key_batch_id_idx on product_key (batch_id, id)`.execute(db);
  await sql`create index product_key_place_id_idx on product_key (place_id, status, id)`.execute(db);
  await sql`create index product_key_status_idx on product_key (status, id)`.execute(db);
  await sql`create index product_key_hint_idx on product_key (hint)`.execute(db);
  await sql`create index product_key_owner_id_idx on product_key (owner_id) where owner_id is not null`.execute(db);
  await sql`create index product_key_redeemed_by_idx on product_key (redeemed_by)
    where redeemed_by is not null`.execute(db);
  await sql`create index product_key_expires_at_idx on product_key (expires_at)
    where status in ('unused', 'issued')`.execute(db);

  // A redeemed key stays redeemed, whoever asks.
  await sql`
    create function keep_redeemed_key() returns trigger language plpgsql as $$
    begin
      if old.status = 'redeemed' and new.status <> 'redeemed' then
        raise exception 'key % is redeemed', old.id using errcode = 'check_violation';
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger product_key_stays_redeemed before update on product_key
    for each row execute function keep_redeemed_key()`.execute(db);
}
