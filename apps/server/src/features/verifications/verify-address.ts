import { must } from '@tongtu/base';
import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { announceAccessChange } from '../live/index.ts';
import { findMapping } from '../mappings/index.ts';
import { letAddressPass } from './let-address-pass.ts';
import { canonicalAddress } from './canonical-address.ts';
import { findVerification, type VerificationRow } from './verification-list-store.ts';
import { lockUser } from './verification-store.ts';

type Caller = { userId: number; ip: string; userAgent: string };

/**
 * Lets the address that an owner calls from pass one of their mappings, for programs that cannot hold a cookie. The same
 * address again counts longer. Throws mapping.not-found, gate.verified-ip-limit.
 */
export async function verifyAddress(db: Db, mappingId: number, caller: Caller): Promise<VerificationRow> {
  const { userId, userAgent } = caller;
  return await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    const mapping = await findMapping(tx, mappingId, userId);
    if (mapping === undefined) throw new AppError('mapping.not-found');
    const visitor = { ownerId: userId, visitorIp: canonicalAddress(caller.ip), userAgent };
    const id = await letAddressPass(tx, mapping, { ...visitor, grantedBy: 'own_address' });
    await announceAccessChange(tx, { deviceId: mapping.deviceId, userId });
    return must(await findVerification(tx, id, userId), 'the verification just made');
  });
}
