import { canonicalAddress, must } from '@tongtu/base';
import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import { announceAccessChange } from '../live/index.ts';
import { getOwnMappingForProof } from '../mappings/index.ts';
import { letAddressPass } from './let-address-pass.ts';
import { findVerification, type VerificationRow } from './verification-list-store.ts';
import { mayOpenByLogin } from './record-proof.ts';

type Caller = { userId: number; sessionId: number | undefined; ip: string; userAgent: string };

/**
 * Lets the address that an owner calls from pass one of their mappings, for programs that cannot hold a cookie. The same
 * address again counts longer. Throws session.required, mapping.not-found, gate.verified-ip-limit.
 */
export async function verifyAddress(db: Db, mappingId: number, caller: Caller): Promise<VerificationRow> {
  const { userId, sessionId = null, userAgent } = caller;
  return await db.transaction().execute(async (tx) => {
    await lockUserForNoKeyUpdate(tx, userId);
    // It may have been ended since it was looked up.
    if (sessionId !== null && !(await mayOpenByLogin(tx, sessionId))) throw new AppError('session.required');
    // A deletion of the mapping ends what is created here, or has happened before.
    const mapping = await getOwnMappingForProof(tx, { mappingId, userId });
    const visitor = { ownerId: userId, visitorIp: canonicalAddress(caller.ip), userAgent };
    const id = await letAddressPass(tx, mapping, { ...visitor, grantedBy: 'own_address', sessionId });
    await announceAccessChange(tx, { deviceId: mapping.deviceId, userId });
    return must(await findVerification(tx, id, userId), 'the verification just made');
  });
}
