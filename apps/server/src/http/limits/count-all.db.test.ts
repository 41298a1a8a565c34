import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { countWaiting } from '../../testing/count-waiting.ts';
import { countAgainst, countAgainstAll, findHits, type RateLimit } from './rate-limit.ts';

const wide: RateLimit = { name: 'wide', key: 'all', max: 10, windowSeconds: 60 };
const ofLi: RateLimit = { name: 'narrow', key: 'li', max: 1, windowSeconds: 60 };
const ofWang: RateLimit = { ...ofLi, key: 'wang' };
const code = 'code.too-often';

const inBoth = async (db: Db, narrow: RateLimit) =>
  await countAgainstAll(
    db,
    [wide, narrow].map((limit) => ({ limit, code }) as const),
  );

/** Runs the work while another transaction locks this counter. */
async function whileLocked(t: TestDb, { name, key }: RateLimit, work: (tx: Db) => Promise<void>): Promise<void> {
  await t.db.transaction().execute(async (tx) => {
    await tx.selectFrom('rateCount').where('key', '=', `${name} ${key}`).select('key').forUpdate().execute();
    await work(tx);
  });
}

async function setHits(db: Db, { name, key }: RateLimit, hits: number): Promise<void> {
  await db.updateTable('rateCount').set({ hits }).where('key', '=', `${name} ${key}`).execute();
}

test('a call that waits for a refused one is counted as if the refused one had not been made', async () => {
  await using t = await openTestDb();
  await inBoth(t.db, ofLi);
  await setHits(t.db, wide, wide.max - 1);
  let refused: Promise<unknown> | undefined;
  let other: Promise<unknown> | undefined;

  await whileLocked(t, ofLi, async () => {
    refused = inBoth(t.db, ofLi).catch((error: unknown) => error);
    await expect.poll(async () => await countWaiting(t)).toBe(1);
    let isAnswered = false;
    other = inBoth(t.db, ofWang)
      .catch((error: unknown) => error)
      .finally(() => {
        isAnswered = true;
      });
    // It is counted by now, or waits for the first.
    await expect.poll(async () => isAnswered || (await countWaiting(t)) === 2).toBe(true);
  });

  expect(await refused).toMatchObject({ code });
  expect(await other).toBeUndefined();
  expect(await findHits(t.db, wide)).toBe(wide.max);
});

test('a refusal after a window has ended removes no hit from the next window', async () => {
  await using t = await openTestDb();
  await inBoth(t.db, ofLi);
  await setHits(t.db, wide, wide.max - 1);
  let refused: Promise<unknown> | undefined;

  await whileLocked(t, ofLi, async () => {
    refused = inBoth(t.db, ofLi).catch((error: unknown) => error);
    await expect.poll(async () => await countWaiting(t)).toBe(1);
    const endsAt = new Date(Date.now() - 1000);
    await t.db.updateTable('rateCount').set({ endsAt }).where('key', '=', 'wide all').execute();
    await countAgainst(t.db, wide);
  });

  expect(await refused).toMatchObject({ code });
  expect(await findHits(t.db, wide)).toBe(1);
});

test('of many concurrent calls on the same counters, in any order, exactly as many pass as the limits allow', async () => {
  await using t = await openTestDb();
  const narrow = { ...ofLi, max: 7 };
  const orders = [
    [wide, narrow],
    [narrow, wide],
  ];

  const results = await Promise.allSettled(
    Array.from({ length: 20 }, async (_, i) => {
      const limits = orders[i % 2] ?? [];
      await countAgainstAll(
        t.db,
        limits.map((limit) => ({ limit, code }) as const),
      );
    }),
  );

  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
  for (const result of results) {
    if (result.status === 'rejected')
      expect(result.reason).toMatchObject({ code, retryAfterSeconds: expect.any(Number) });
  }
  expect([await findHits(t.db, wide), await findHits(t.db, narrow)]).toEqual([7, 7]);
});
