import { must } from '@tongtu/base';
import { AppError, type ErrorCode } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import {
  countHit,
  countHits,
  findCount,
  deleteHits,
  lockCounts,
  type RateCount,
  resetAndUndoHit,
  sumCounts,
  undoHit,
} from './rate-limit-store.ts';

export { deleteOldRateCounts } from './rate-limit-store.ts';

/** A counter: `name` says what is counted, `key` for which account, phone number or address. */
export type Counted = { name: string; key: string };
export type RateLimit = Counted & { max: number; windowSeconds: number };

/**
 * Counts one hit. Beyond `max` hits in a window of `windowSeconds`, which begins with its first hit, it throws `code` with
 * the seconds until the window ends. All server processes count together.
 * NOTE: do not call it in a transaction, because a rollback would undo the hit.
 */
export async function countAgainst(db: Db, limit: RateLimit, code: ErrorCode = 'request.too-many'): Promise<void> {
  assertBelowMax(await countHit(db, hitOf(limit)), limit, code);
}

/**
 * Counts one hit in every limit, or in none: if one is reached, it throws like `countAgainst`, and nothing is counted.
 */
export async function countAgainstAll(db: Db, limits: readonly { limit: RateLimit; code: ErrorCode }[]): Promise<void> {
  // The error rolls back all hits. Other transactions have not seen them.
  await db.transaction().execute(async (tx) => {
    const counts = await countHits(
      tx,
      limits.map(({ limit }) => hitOf(limit)),
    );
    for (const { limit, code } of limits) assertBelowMax(must(counts.get(keyOf(limit)), 'the count'), limit, code);
  });
}

function assertBelowMax({ hits, leftMs }: RateCount, { max }: RateLimit, code: ErrorCode): void {
  if (hits > max) throw new AppError(code, { retryAfterSeconds: Math.ceil(leftMs / 1000) });
}

/** Throws like `countAgainst`, but counts nothing. */
export async function checkLimit(db: Db, limit: RateLimit, code: ErrorCode): Promise<void> {
  const { hits, leftMs } = (await findCount(db, keyOf(limit))) ?? { hits: 0, leftMs: 0 };
  if (hits >= limit.max) throw new AppError(code, { retryAfterSeconds: Math.ceil(leftMs / 1000) });
}

/** Counts one hit in a window of `windowSeconds` and returns the number of hits before it. */
export async function countOne(db: Db, limit: Counted & { windowSeconds: number }): Promise<number> {
  const { hits } = await countHit(db, hitOf(limit));
  return hits - 1;
}

/** Counts one hit in each counter, and returns the numbers of hits before them in the same order. */
export async function countEach(db: Db, limits: readonly (Counted & { windowSeconds: number })[]): Promise<number[]> {
  const counts = await countHits(db, limits.map(hitOf));
  return limits.map((limit) => must(counts.get(keyOf(limit)), 'the count').hits - 1);
}

/** The number of hits in the current window. */
export async function findHits(db: Db, counted: Counted): Promise<number> {
  return (await findCount(db, keyOf(counted)))?.hits ?? 0;
}

/**
 * The hits of each counter in its current window, in the same order. Where a counter has any, others who count or lock it
 * wait until the transaction ends.
 */
export async function lockHits(tx: Db, all: readonly Counted[]): Promise<number[]> {
  const counts = await lockCounts(tx, all.map(keyOf));
  return all.map((counted) => counts.get(keyOf(counted)) ?? 0);
}

/** The hits of all these counters together, and the seconds until the first of their windows ends. */
export async function sumHits(db: Db, all: readonly Counted[]): Promise<{ hits: number; firstEndsInSeconds: number }> {
  const { hits, leftMs } = await sumCounts(db, all.map(keyOf));
  return { hits, firstEndsInSeconds: Math.ceil(leftMs / 1000) };
}

/** Subtracts one hit. */
export async function undoCount(db: Db, counted: Counted): Promise<void> {
  await undoHit(db, keyOf(counted));
}

/** Resets one counter and subtracts one hit of another. */
export async function resetAndUndo(db: Db, reset: Counted, undone: Counted): Promise<void> {
  await resetAndUndoHit(db, keyOf(reset), keyOf(undone));
}

/** Resets the counter. */
export async function resetCount(db: Db, counted: Counted): Promise<void> {
  await deleteHits(db, keyOf(counted));
}

function hitOf(limit: Counted & { windowSeconds: number }): { key: string; windowMs: number } {
  return { key: keyOf(limit), windowMs: limit.windowSeconds * 1000 };
}

function keyOf({ name, key }: Counted): string {
  // PostgreSQL returns half a character as another one.
  return `${name} ${key}`.toWellFormed();
}
