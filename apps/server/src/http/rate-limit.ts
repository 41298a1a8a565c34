import { must } from '@tongtu/base';
import { AppError, type ErrorCode } from '@tongtu/contract';
import type { Db } from '../db/driver.ts';
import {
  countHit,
  countHits,
  findCount,
  forgetHits,
  type RateCount,
  sumCounts,
  takeHitBack,
} from './rate-limit-store.ts';

export { deleteOldRateCounts } from './rate-limit-store.ts';

/** What is counted under `name` for `key`: an account, a phone number, an address. */
export type Counted = { name: string; key: string };
export type RateLimit = Counted & { max: number; windowSeconds: number };

/**
 * Counts one more; beyond `max` in a window of `windowSeconds`, which begins with its first hit, throws `code`
 * (`request.too-many` unless said otherwise) with the seconds until the window ends. All server processes count together.
 * NOTE: count on the database itself: a transaction that is rolled back would take the hit back.
 */
export async function countAgainst(db: Db, limit: RateLimit, code: ErrorCode = 'request.too-many'): Promise<void> {
  assertRoom(await countHit(db, hitOf(limit)), limit, code);
}

/**
 * Counts one more in each of them, or in none: the first that has no room throws as `countAgainst` would, and whoever is
 * refused has used up nothing.
 */
export async function countAgainstAll(db: Db, limits: readonly { limit: RateLimit; code: ErrorCode }[]): Promise<void> {
  // Rolled back by what is thrown: nobody else has seen a hit that is taken back.
  await db.transaction().execute(async (tx) => {
    const counts = await countHits(
      tx,
      limits.map(({ limit }) => hitOf(limit)),
    );
    for (const { limit, code } of limits) assertRoom(must(counts.get(keyOf(limit)), 'what was counted'), limit, code);
  });
}

function assertRoom({ hits, leftMs }: RateCount, { max }: RateLimit, code: ErrorCode): void {
  if (hits > max) throw new AppError(code, { retryAfterSeconds: Math.ceil(leftMs / 1000) });
}

/** Throws as `countAgainst` would, and counts nothing. */
export async function checkRoom(db: Db, limit: RateLimit, code: ErrorCode): Promise<void> {
  const { hits, leftMs } = (await findCount(db, keyOf(limit))) ?? { hits: 0, leftMs: 0 };
  if (hits >= limit.max) throw new AppError(code, { retryAfterSeconds: Math.ceil(leftMs / 1000) });
}

/** Counts one more in a window of `windowSeconds`; returns how many were counted before it. */
export async function countOne(db: Db, limit: Counted & { windowSeconds: number }): Promise<number> {
  const { hits } = await countHit(db, hitOf(limit));
  return hits - 1;
}

/** How many are counted now. */
export async function countedSoFar(db: Db, counted: Counted): Promise<number> {
  return (await findCount(db, keyOf(counted)))?.hits ?? 0;
}

/** How many are counted in all of these together, and in how many seconds the first of them counts no more. */
export async function countedTogether(
  db: Db,
  all: readonly Counted[],
): Promise<{ hits: number; lessInSeconds: number }> {
  const { hits, leftMs } = await sumCounts(db, all.map(keyOf));
  return { hits, lessInSeconds: Math.ceil(leftMs / 1000) };
}

/** Takes one hit back. */
export async function takeCountBack(db: Db, counted: Counted): Promise<void> {
  await takeHitBack(db, keyOf(counted));
}

/** Takes all hits back, for what turned out not to count. */
export async function forgetCount(db: Db, counted: Counted): Promise<void> {
  await forgetHits(db, keyOf(counted));
}

function hitOf(limit: Counted & { windowSeconds: number }): { key: string; windowMs: number } {
  return { key: keyOf(limit), windowMs: limit.windowSeconds * 1000 };
}

function keyOf({ name, key }: Counted): string {
  return `${name} ${key}`;
}
