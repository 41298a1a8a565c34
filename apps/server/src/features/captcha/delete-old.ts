import type { Db } from '../../db/driver.ts';
import { deleteOldChallenges } from './challenge-store.ts';
import { deleteOldTickets } from './ticket-store.ts';

/** Deletes expired challenges and tickets. */
export async function deleteOldCaptchas(db: Db): Promise<void> {
  await deleteOldChallenges(db);
  await deleteOldTickets(db);
}
