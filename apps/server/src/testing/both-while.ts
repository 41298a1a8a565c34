import { expect } from 'vitest';
import type { Db } from '../db/driver.ts';
import type { TestDb } from '../db/open-test-db.ts';
import { countWaiting } from './count-waiting.ts';

/** Both are under way, the second one after the first, which has got as far as what is held here; then they go on. */
export async function bothWhile<First, Second>(
  t: TestDb,
  hold: (tx: Db) => Promise<unknown>,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[PromiseSettledResult<First>, PromiseSettledResult<Second>]> {
  class TakenBack extends Error {}
  let both: Promise<[PromiseSettledResult<First>, PromiseSettledResult<Second>]> | undefined;
  const holding = t.db.transaction().execute(async (tx) => {
    await hold(tx);
    const begun = first();
    await expect.poll(async () => await countWaiting(t)).toBe(1);
    both = Promise.allSettled([begun, second()]);
    await expect.poll(async () => await countWaiting(t)).toBe(2);
    throw new TakenBack();
  });
  await expect(holding).rejects.toThrow(TakenBack);
  if (both === undefined) throw new Error('nothing was begun');
  return await both;
}
