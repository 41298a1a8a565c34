import { MAX_FOUND_KEYS, ProductKeyStatus } from '@tongtu/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { patternStartingWith } from '../../db/like-pattern.ts';
import type { PlanTerms } from '../plans/index.ts';
import { statusNow, termsOfBatch, type VisiblePlaces } from './key-store.ts';

export type ListedKey = PlanTerms & {
  id: number;
  batchId: number;
  keyHash: Buffer;
  keySealed: Buffer;
  hint: string;
  status: ProductKeyStatus;
  note: string;
  placeId: number | null;
  placeName: string | null;
  createdAt: Date;
  expiresAt: Date | null;
  redeemedAt: Date | null;
};

/** What a search looks for: one key, or those whose text ends, or whose note begins, like this. */
export type KeySearch = { keyHash: Buffer } | { hint: string | undefined; note: string };
export type KeyFilter = {
  places: VisiblePlaces;
  status: ProductKeyStatus | undefined;
  batchId: number | undefined;
  search: KeySearch | undefined;
};
/** `beforeId`: only keys that are older than this one. `count`: what `countKeys` has counted, if it was asked. */
export type KeyPage = { limit: number; offset: number; beforeId?: number; count?: number };

type Condition = RawBuilder<boolean>;

/** The keys of the filter, the newest first. Their ids come from an index alone, and only the page's keys from the table. */
export async function listKeys(db: Db, filter: KeyFilter, page: KeyPage): Promise<ListedKey[]> {
  if (page.count === 0) return [];
  const { rows } = await selectPage(filter, page).execute(db);
  const ids = rows.map(({ id }) => id);
  return await db
    .selectFrom('productKey')
    .innerJoin('keyBatch', 'keyBatch.id', 'productKey.batchId')
    .leftJoin('place', 'place.id', 'productKey.placeId')
    .where((eb) => eb('productKey.id', '=', eb.fn.any(sql<number[]>`${ids}::integer[]`)))
    .select(['productKey.id', 'productKey.batchId', 'productKey.keyHash', 'productKey.keySealed', 'productKey.hint'])
    .select([statusNow.as('status'), 'productKey.note', 'productKey.placeId', 'place.name as placeName'])
    .select(['keyBatch.createdAt', 'productKey.expiresAt', 'productKey.redeemedAt', ...termsOfBatch])
    .orderBy('productKey.id', 'desc')
    .execute();
}

/** How many keys the filter has. Of a search at most MAX_FOUND_KEYS are counted. */
export async function countKeys(db: Db, filter: KeyFilter): Promise<number> {
  const { places, status, batchId, search } = filter;
  if (batchId !== undefined || search !== undefined) {
    const found = sql<{ count: number }>`
      select count(*) from (
        select from ${sourceOf(search)} k where ${allOf(conditionsOf(filter))} limit ${MAX_FOUND_KEYS}
      ) as found`;
    return (await found.execute(db)).rows[0]?.count ?? 0;
  }
  const { count } = await db
    .selectFrom('keyCount')
    .$if(places !== 'all', (query) => query.where(sql<boolean>`place_id = any(${places}::integer[])`))
    .$if(status !== undefined, (query) => query.where(sql<boolean>`status = ${status}`))
    .select(sql<number>`coalesce(sum(key_count), 0)::integer`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Few keys are found by their notes and then sorted; many are met soon when all keys are read from the newest on. The
 * planner does not know how many have the note.
 */
function selectPage(
  filter: KeyFilter,
  { limit, offset, beforeId, count = MAX_FOUND_KEYS }: KeyPage,
): RawBuilder<{ id: number }> {
  const { places, batchId, search } = filter;
  const conditions = conditionsOf(filter, beforeId);
  const range = sql`order by k.id desc limit ${limit} offset ${offset}`;
  if (search !== undefined && count < MAX_FOUND_KEYS) {
    return sql<{ id: number }>`
      with found as materialized (select k.id from ${sourceOf(search)} k where ${allOf(conditions)})
      select k.id from found k ${range}`;
  }
  const ofMany = search !== undefined && 'note' in search ? [matchesOften(search)] : [];
  if (places === 'all' || batchId !== undefined) {
    return sql<{ id: number }>`select k.id from product_key k where ${allOf([...conditions, ...ofMany])} ${range}`;
  }
  const ofPlace = sql<boolean>`k.place_id = p.id`;
  const inPlace = allOf([ofPlace, ...conditionsOf({ ...filter, places: 'all' }, beforeId), ...ofMany]);
  // The newest of each place, from the place's part of an index: the planner would sort all keys of the places.
  return sql<{ id: number }>`
    select k.id from unnest(${places}::integer[]) as p (id) cross join lateral (
      select k.id from product_key k where ${inPlace}
      order by k.id desc limit ${limit + offset}
    ) as k ${range}`;
}

function conditionsOf({ places, status, batchId, search }: KeyFilter, beforeId?: number): Condition[] {
  const conditions: Condition[] = [];
  if (places !== 'all') conditions.push(sql<boolean>`k.place_id = any(${places}::integer[])`);
  if (status !== undefined) conditions.push(sql<boolean>`k.status = ${status}`);
  if (batchId !== undefined) conditions.push(sql<boolean>`k.batch_id = ${batchId}`);
  if (search !== undefined && 'keyHash' in search) conditions.push(sql<boolean>`k.key_hash = ${search.keyHash}`);
  if (beforeId !== undefined) conditions.push(sql<boolean>`k.id < ${beforeId}`);
  return conditions;
}

function allOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** The keys that a search by end or note finds, from an index for each; otherwise the table. */
function sourceOf(search: KeySearch | undefined): RawBuilder<unknown> {
  if (search === undefined || 'keyHash' in search) return sql`product_key`;
  const { hint, note } = search;
  const pattern = patternOf(note);
  const columns = sql`id, place_id, status, batch_id`;
  // Names all statuses, because the indexes of notes begin with them.
  const byNote = sql`select ${columns} from product_key
    where status = any(${ProductKeyStatus.options}::text[]) and note <> '' and lower(note) like ${pattern}`;
  if (hint === undefined) return sql`(${byNote})`;
  return sql`(select ${columns} from product_key where hint = ${hint} union all ${byNote} and hint <> ${hint})`;
}

/** The same keys, in a form for which the planner uses no index and expects every second key to match. */
function matchesOften({ hint, note }: { hint: string | undefined; note: string }): Condition {
  const byNote = sql<boolean>`lower(k.note) like ${patternOf(note)}`;
  return sql<boolean>`coalesce(${hint === undefined ? byNote : sql`${byNote} or k.hint = ${hint}`}, false)`;
}

function patternOf(note: string): string {
  return patternStartingWith(note.toLowerCase());
}
