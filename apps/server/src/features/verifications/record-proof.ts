import type { Db } from '../../db/driver.ts';
import { assertRoomForProof } from './assert-room-for-proof.ts';
import type { RequestedProof } from './proof-count-store.ts';
import { findSessionForKeyShare } from './session-proof-store.ts';
import { insertVerification, type NewVerification } from './verification-store.ts';
import { VERIFIED_HOURS } from './add-verified-address.ts';

/** A proof of a browser, with the fields that count for limits. */
export type NewProof = Omit<NewVerification, 'kind' | 'visitorNetwork'> & RequestedProof;

/**
 * Locks a login, so that it cannot end before the transaction does. False if it has ended. Call it before inserting any of
 * its proofs.
 */
export async function lockLoginForProof(tx: Db, sessionId: number): Promise<boolean> {
  return (await findSessionForKeyShare(tx, sessionId)) !== undefined;
}

/**
 * Inserts a browser's verification, for 48 hours or until `notAfter`. The caller has locked the mapping
 * (`findMappingForProof`) and the login. Throws gate.too-many-proofs.
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
