import { expect } from 'vitest';
import type { Db } from '../db/driver.ts';
import type { TestDb } from '../db/open-test-db.ts';
import { countWaiting } from './count-waiting.ts';

/** Runs two operations at once: `lock` blocks the first, then the second starts and waits, then the lock is released. */
export async function runBothWhileLocked<First, Second>(
  t: TestDb,
  lock: (tx: Db) => Promise<unknown>,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[PromiseSettledResult<First>, PromiseSettledResult<Second>]> {
  class RolledBack extends Error {}
  let both: Promise<[PromiseSettledResult<First>, PromiseSettledResult<Second>]> | undefined;
  const locking = t.db.transaction().execute(async (tx) => {
    await lock(tx);
    const started = first();
    await expect.poll(async () => await countWaiting(t)).toBe(1);
    both = Promise.allSettled([started, second()]);
    await expect.poll(async () => await countWaiting(t)).toBe(2);
    throw new RolledBack();
  });
  await expect(locking).rejects.toThrow(RolledBack);
  if (both === undefined) throw new Error('nothing was started');
  return await both;
}
