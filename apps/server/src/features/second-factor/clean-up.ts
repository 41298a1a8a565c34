import type { Db } from '../../db/driver.ts';
import { deleteExpiredLoginSteps } from '../login-steps/index.ts';
import { deleteExpiredChallenges } from './passkeys/passkey-challenge-store.ts';

/** Deletes what nobody can use any more. */
export async function deleteExpiredSecondSteps(db: Db): Promise<void> {
  await deleteExpiredLoginSteps(db);
  await deleteExpiredChallenges(db);
}
