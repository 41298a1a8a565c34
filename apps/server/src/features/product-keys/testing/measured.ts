import { pino } from 'pino';
import { sql } from 'kysely';
import { openDb, type Db } from '../../../db/driver.ts';
import { migrate } from '../../../db/migrate.ts';
import { insertAccount } from '../../../testing/apps/open-account-app.ts';
import type { TestApp } from '../../../testing/apps/open-test-app.ts';
import { insertProduct } from '../../../testing/billing-fixtures.ts';
import { openKeyApp, insertPlace, insertPromoter, makeSome, secrets } from './key-fixtures.ts';

const BATCH = 1_000;
const PLACES = 200;
/** A tenth of the places, with a tenth of the keys, are one promoter's. */
const PROMOTERS = 10;

export type Measured = AsyncDisposable & {
  db: Db;
  app: TestApp;
  staffId: number;
  promoterId: number;
  placeId: number;
  batchId: number;
  productId: number;
  /** Keys that can be redeemed. */
  keys: string[];
};

/**
 * A database with so many keys, of which a tenth are redeemed, and the calls about them. A folder that this function filled
 * before is used as it is, with a new batch of keys to redeem.
 */
export async function openMeasured(dir: string, keyCount: number): Promise<Measured> {
  await using parts = new AsyncDisposableStack();
  const { db } = parts.use(await openDb({ embeddedDir: dir }, pino({ level: 'silent' })));
  await migrate(db);
  if ((await db.selectFrom('place').select('id').limit(1).executeTakeFirst()) === undefined) await fill(db, keyCount);
  const { id: productId } = await db.selectFrom('product').select('id').orderBy('id').executeTakeFirstOrThrow();
  const { id: placeId } = await db.selectFrom('place').select('id').orderBy('id').executeTakeFirstOrThrow();
  const keys = await makeSome(db, { productId, place: placeId, count: BATCH });
  const { id: batchId } = await db.selectFrom('keyBatch').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
  await sql`vacuum analyze`.execute(db);
  const [staffId, promoterId] = [await findUser(db, 'staff'), await findUser(db, 'promoter-0')];
  const app = parts.use(await openKeyApp(db));
  const opened = parts.move();
  return {
    ...{ db, app, staffId, promoterId, placeId, batchId, productId, keys },
    [Symbol.asyncDispose]: async () => await opened.disposeAsync(),
  };
}

async function fill(db: Db, keyCount: number): Promise<void> {
  const productId = await insertProduct(db);
  await insertAccount(db, { username: 'staff', isStaff: true });
  const promoterIds = [];
  for (let n = 0; n < PROMOTERS; n++) promoterIds.push(await insertPromoter(db, `promoter-${n}`));
  const placeIds: number[] = [];
  for (let n = 0; n < PLACES; n++) {
    placeIds.push(await insertPlace(db, promoterIds[n % PROMOTERS] ?? null, `门店 ${n}`));
  }
  await insertOrders(db, { productId, count: keyCount / 10 });
  for (let made = 0; made < keyCount - BATCH; made += BATCH) {
    await insertOldBatch(db, { productId, placeId: placeIds[(made / BATCH) % PLACES] ?? 0, made });
  }
}

async function findUser(db: Db, username: string): Promise<number> {
  const user = db.selectFrom('userAccount').where('username', '=', username).select('id');
  return (await user.executeTakeFirstOrThrow()).id;
}

/** Paid orders with the ids from 1. In pieces, because a statement has 15 seconds. */
async function insertOrders(db: Db, { productId, count }: { productId: number; count: number }): Promise<void> {
  for (let made = 0; made < count; made += 10 * BATCH) {
    await insertSomeOrders(db, { productId, from: made + 1, to: Math.min(count, made + 10 * BATCH) });
  }
}

async function insertSomeOrders(
  db: Db,
  { productId, from, to }: { productId: number; from: number; to: number },
): Promise<void> {
  await sql`
    insert into product_order (number, kind, status, product_id, product_name, days, bandwidth_bps, mapping_limit,
      app_kinds, price_fen, amount_fen, closes_at, paid_at)
    select 'K' || n, 'key', 'paid', p.id, p.name, p.days, p.bandwidth_bps, p.mapping_limit, p.app_kinds, p.price_fen, 0,
      now(), now()
    from product p, generate_series(${from}::integer, ${to}::integer) as n where p.id = ${productId} order by n`.execute(
    db,
  );
}

/** Of each ten keys one is redeemed, three are issued and one is void, these with a note; the others are unused. */
async function insertOldBatch(
  db: Db,
  { productId, placeId, made }: { productId: number; placeId: number; made: number },
): Promise<void> {
  const stored = Array.from({ length: BATCH }, () => secrets.create().stored);
  await sql`
    with batch as (
      insert into key_batch (product_id, product_name, days, bandwidth_bps, mapping_limit, app_kinds, price_fen, place_id,
        key_count)
      select id, name, days, bandwidth_bps, mapping_limit, app_kinds, price_fen, ${placeId}::integer, ${BATCH}::integer
      from product where id = ${productId} returning id
    )
    insert into product_key (batch_id, place_id, key_hash, key_sealed, hint, status, note, redeemed_at, order_id)
    select batch.id, ${placeId}::integer, k.hash, k.sealed, k.hint,
      case when n % 10 = 0 then 'redeemed' when n % 10 = 1 then 'void' when n % 10 < 5 then 'issued' else 'unused' end,
      case when n % 10 between 1 and 4 then '展会 ' || n / 10 else '' end,
      case when n % 10 = 0 then now() end,
      case when n % 10 = 0 then (${made}::integer + n) / 10 end
    from batch, unnest(${stored.map(({ keyHash }) => keyHash)}::bytea[], ${stored.map(({ keySealed }) => keySealed)}::bytea[],
      ${stored.map(({ hint }) => hint)}::text[]) with ordinality as k (hash, sealed, hint, n)`.execute(db);
}

/** Accounts that redeem a key each. */
export async function insertRedeemers({ db, batchId }: Measured, count: number): Promise<number[]> {
  const values = Array.from({ length: count }, (_, n) => ({ username: `redeemer-${batchId}-${n}` }));
  return (await db.insertInto('userAccount').values(values).returning('id').execute()).map(({ id }) => id);
}
