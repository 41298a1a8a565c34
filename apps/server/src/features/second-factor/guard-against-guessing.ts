import type { Db } from '../../db/driver.ts';
import { countFactorGuess, clearFactorGuess, type FactorGuess } from '../users/index.ts';
import type { FactorProof } from './use-factor.ts';

/**
 * Runs `check`, which throws for a wrong proof, and counts wrong codes. A passkey cannot be guessed, so it is not counted and
 * works while codes are locked. Throws `login.locked`, `second-factor.locked` and what `check` throws.
 */
export async function guardAgainstGuessing<Result>(
  db: Db,
  { proof, ...guess }: FactorGuess & { proof: FactorProof },
  check: () => Promise<Result>,
): Promise<Result> {
  if ('passkey' in proof) return await check();
  await countFactorGuess(db, guess);
  const result = await check();
  await clearFactorGuess(db, guess);
  return result;
}
