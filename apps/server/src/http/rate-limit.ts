import { callbackify } from 'node:util';
import rateLimit, { normalizeIP, type FastifyRateLimitStore, type RateLimitPluginOptions } from '@fastify/rate-limit';
import { AppError, type ErrorCode } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../db/driver.ts';
import { countHit, findCount, forgetHits, takeHitBack } from './rate-limit-store.ts';

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
  const { hits, leftMs } = await countHit(db, { key: keyOf(limit), windowMs: limit.windowSeconds * 1000 });
  if (hits > limit.max) throw new AppError(code, { retryAfterSeconds: Math.ceil(leftMs / 1000) });
}

/** Throws as `countAgainst` would, and counts nothing. */
export async function checkRoom(db: Db, limit: RateLimit, code: ErrorCode): Promise<void> {
  const { hits, leftMs } = (await findCount(db, keyOf(limit))) ?? { hits: 0, leftMs: 0 };
  if (hits >= limit.max) throw new AppError(code, { retryAfterSeconds: Math.ceil(leftMs / 1000) });
}

/** Counts one more in a window of `windowSeconds`; returns how many were counted before it. */
export async function countOne(db: Db, limit: Counted & { windowSeconds: number }): Promise<number> {
  const { hits } = await countHit(db, { key: keyOf(limit), windowMs: limit.windowSeconds * 1000 });
  return hits - 1;
}

/** How many are counted now. */
export async function countedSoFar(db: Db, counted: Counted): Promise<number> {
  return (await findCount(db, keyOf(counted)))?.hits ?? 0;
}

/** Takes one hit back. */
export async function takeCountBack(db: Db, counted: Counted): Promise<void> {
  await takeHitBack(db, keyOf(counted));
}

/** Takes all hits back, for what turned out not to count. */
export async function forgetCount(db: Db, counted: Counted): Promise<void> {
  await forgetHits(db, keyOf(counted));
}

/** Whose limits an address counts in: its own for IPv4, for IPv6 those of its /64. Access is never judged by it. */
export function limitGroupOf(ip: string): string {
  return normalizeIP(ip);
}

/**
 * The /48 of an IPv6 address, which one customer may have as a whole, or share with thousands; undefined for IPv4. For what
 * costs somebody else something, beside the limits of a network.
 */
export function limitSiteOf(ip: string): string | undefined {
  const site = normalizeIP(ip, 48);
  return site.includes(':') ? site : undefined;
}

/** Gives routes with `config.rateLimit` their limit by address, counted in the database by all server processes together. */
export async function useRateLimits(app: FastifyInstance, db: Db): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    store: storeIn(db),
    keyGenerator: ({ routeOptions: { method, url = '' }, ip }) =>
      keyOf({ name: `${String(method)} ${url}`, key: limitGroupOf(ip) }),
    errorResponseBuilder: (_req, { ttl }) =>
      new AppError('request.too-many', { retryAfterSeconds: Math.ceil(ttl / 1000) }),
  });
}

function keyOf({ name, key }: Counted): string {
  return `${name} ${key}`;
}

/** The library asks a child for each route; the key names the route already. */
function storeIn(db: Db): NonNullable<RateLimitPluginOptions['store']> {
  const count = callbackify(async (key: string, windowMs: number) => {
    const { hits, leftMs } = await countHit(db, { key, windowMs });
    return { current: hits, ttl: leftMs };
  });
  return class RateLimitStore implements FastifyRateLimitStore {
    incr(key: string, done: Parameters<FastifyRateLimitStore['incr']>[1], windowMs: number): void {
      count(key, windowMs, done);
    }

    child(): this {
      return this;
    }
  };
}
