import type { Db } from '../../db/driver.ts';
import { assertRoomForProof } from './assert-room-for-proof.ts';
import type { ComingProof } from './proof-count-store.ts';
import { findSessionForKeyShare } from './session-proof-store.ts';
import { insertVerification, type NewVerification } from './verification-store.ts';
import { VERIFIED_HOURS } from './let-address-pass.ts';

/** What a browser has proven, with whatever counts against a limit. */
export type NewProof = Omit<NewVerification, 'kind' | 'visitorNetwork'> & ComingProof;

/**
 * Whether a login may open something: it has not been ended, and is not until the transaction ends. To be asked before any
 * proof of it is made.
 */
export async function mayOpenByLogin(tx: Db, sessionId: number): Promise<boolean> {
  return (await findSessionForKeyShare(tx, sessionId)) !== undefined;
}

/**
 * Puts on record that a browser may come in, for 48 hours but no longer than `notAfter`. The mapping must be found for a
 * proof, and the login must stay. Throws gate.too-many-proofs.
 */
export async function recordProof(
  tx: Db,
  { network, ...proof }: NewProof,
  { notAfter }: { notAfter: Date | null },
): Promise<{ id: number; expiresAt: Date }> {
  await assertRoomForProof(tx, { ...proof, network });
  const verification = { ...proof, kind: 'cookie', visitorNetwork: network } as const;
  return await insertVerification(tx, verification, { validHours: VERIFIED_HOURS, notAfter });
}
