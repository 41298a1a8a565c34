import type { Db } from '../../db/driver.ts';
import { announceAccessChange } from '../live/index.ts';
import { type EndedLogins, markProofsRevoked } from './session-proof-store.ts';

/**
 * Revokes the proofs of these logins on all devices and notifies the relays, which close their streams. The caller has
 * locked the logins, so that they make no further proofs.
 */
export async function revokeProofsOfLogins(tx: Db, ended: EndedLogins): Promise<void> {
  for (const device of await markProofsRevoked(tx, ended)) await announceAccessChange(tx, device);
}
