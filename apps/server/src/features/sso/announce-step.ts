import type { Db } from '../../db/driver.ts';
import { notify } from '../../db/notify.ts';

/** Wakes the page that waits for this login, whichever server process it waits at. */
export async function announceStep(tx: Db, stateHash: Buffer): Promise<void> {
  await notify(tx, 'sso_step', { state: stateHash.toString('base64url') });
}
