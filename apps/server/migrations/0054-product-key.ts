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
  await sql`create index product_key_place_id_idx on product_key (place_id, id)`.execute(db);
  await sql`create index product_key_place_id_status_idx on product_key (place_id, status, id)`.execute(db);
  await sql`create index product_key_status_idx on product_key (status, id)`.execute(db);
  await sql`create index product_key_hint_idx on product_key (hint)`.execute(db);
  await sql`create index product_key_note_idx on product_key (lower(note) text_pattern_ops, id)
    where note <> ''`.execute(db);
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
  await countKeys(db);
}

/**
 * How many keys each place has in each status, and what they are worth: counting a million of them takes too long for a list.
 * Each statement that changes keys changes the counts once, in the order of the counts' key, so that no two can deadlock.
 */
async function countKeys(db: Kysely<never>): Promise<void> {
  await sql`
    create table key_count (
      place_id  integer references place on delete cascade,
      status    text not null,
      key_count integer not null,
      worth_fen bigint not null,
      unique nulls not distinct (place_id, status)
    )`.execute(db);
  await sql`
    create function add_key_counts() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into key_count as c
        select k.place_id, k.status, count(*), sum(b.price_fen)
        from new_keys k join key_batch b on b.id = k.batch_id
        group by 1, 2 order by 1, 2
        on conflict (place_id, status) do update
        set key_count = c.key_count + excluded.key_count, worth_fen = c.worth_fen + excluded.worth_fen;
      else
        insert into key_count as c
        select k.place_id, k.status, sum(k.change), sum(k.change * b.price_fen::bigint)
        from (select place_id, status, batch_id, 1 as change from new_keys
              union all select place_id, status, batch_id, -1 from old_keys) k
        join key_batch b on b.id = k.batch_id
        group by 1, 2
        having sum(k.change) <> 0 or sum(k.change * b.price_fen::bigint) <> 0
        order by 1, 2
        on conflict (place_id, status) do update
        set key_count = c.key_count + excluded.key_count, worth_fen = c.worth_fen + excluded.worth_fen;
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger product_key_inserted after insert on product_key referencing new table as new_keys
    for each statement execute function add_key_counts()`.execute(db);
  await sql`
    create trigger product_key_updated after update on product_key
    referencing old table as old_keys new table as new_keys
    for each statement execute function add_key_counts()`.execute(db);
  // Keys are marked, never deleted: the counts, and what was sold, would no longer be explained.
  await sql`
    create trigger product_key_not_deleted before delete or truncate on product_key
    for each statement execute function refuse_change()`.execute(db);
}
