import { sql, type Kysely } from 'kysely';

/** What is for sale. A product that was sold is unlisted, never deleted; orders keep a copy of its terms. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table product (
      id            integer generated always as identity primary key,
      name          text not null check (length(name) between 1 and 40),
      description   text not null default '',
      days          integer not null check (days between 1 and 730),
      bandwidth_bps bigint not null check (bandwidth_bps > 0),
      mapping_limit integer not null check (mapping_limit > 0),
      app_kinds     text[] not null,
      price_fen     integer not null check (price_fen between 0 and 100000000),
      listed        boolean not null default true,
      position      integer not null default 0,
      created_at    timestamptz not null default now(),
      updated_at    timestamptz not null default now()
    )`.execute(db);
  await sql`
    create table bulk_product (
      id         integer generated always as identity primary key,
      product_id integer not null unique references product,
      listed     boolean not null default true,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    create table bulk_tier (
      bulk_product_id integer not null references bulk_product on delete cascade,
      from_quantity   integer not null check (from_quantity between 1 and 1000),
      percent         integer not null check (percent between 1 and 100),
      primary key (bulk_product_id, from_quantity)
    )`.execute(db);
}
