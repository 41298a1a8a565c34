import type { Db } from '../../db/driver.ts';
import { countFactorGuess, clearFactorGuess, type FactorGuess } from '../users/index.ts';
import type { FactorProof } from './use-factor.ts';

/**
 * Runs `check`, which throws for a wrong proof, and counts what was typed unless it was right. A passkey cannot be guessed:
 * it is not counted, and gets in where codes are locked. Throws `login.locked` and `second-factor.locked` besides.
 */
export async function tryFactor<Result>(
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
