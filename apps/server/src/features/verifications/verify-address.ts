import { canonicalAddress, must } from '@tongtu/base';
import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import { announceAccessChange } from '../live/index.ts';
import { getOwnMappingForProof } from '../mappings/index.ts';
import { addVerifiedAddress } from './add-verified-address.ts';
import { findVerification, type VerificationRow } from './verification-list-store.ts';
import { lockLoginForProof } from './record-proof.ts';

type Caller = { userId: number; sessionId: number | undefined; ip: string; userAgent: string };

/**
 * Verifies the owner's current address at one of their mappings, for programs that cannot hold a cookie. Repeating it
 * extends the verification. Throws session.required, mapping.not-found, gate.verified-ip-limit.
 */
export async function verifyAddress(db: Db, mappingId: number, caller: Caller): Promise<VerificationRow> {
  const { userId, sessionId = null, userAgent } = caller;
  return await db.transaction().execute(async (tx) => {
    await lockUserForNoKeyUpdate(tx, userId);
    // The login may have ended since the call was authorized.
    if (sessionId !== null && !(await lockLoginForProof(tx, sessionId))) throw new AppError('session.required');
    // Locks the mapping: a concurrent deletion waits and then revokes this verification.
    const mapping = await getOwnMappingForProof(tx, { mappingId, userId });
    const visitor = { ownerId: userId, visitorIp: canonicalAddress(caller.ip), userAgent };
    const id = await addVerifiedAddress(tx, mapping, { ...visitor, grantedBy: 'own_address', sessionId });
    await announceAccessChange(tx, { deviceId: mapping.deviceId, userId });
    return must(await findVerification(tx, id, userId), 'the verification just inserted');
  });
}
