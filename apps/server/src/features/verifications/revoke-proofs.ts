import type { Db } from '../../db/driver.ts';
import { announceAccessChange } from '../live/index.ts';
import { type EndedLogins, markProofsRevoked } from './session-proof-store.ts';

/**
 * Ends what these logins opened, on whosever devices: relays hear of it and cut it. The logins must be locked, so that
 * nobody comes in by them any more.
 */
export async function revokeProofsOfLogins(tx: Db, ended: EndedLogins): Promise<void> {
  for (const device of await markProofsRevoked(tx, ended)) await announceAccessChange(tx, device);
}
