import { sql, type Kysely } from 'kysely';

/** Counts what was sold of each product without reading the orders. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index product_order_sold_idx on product_order (product_id) where paid_at is not null`.execute(db);
}
