import { must } from '@tongtu/base';
import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { announceDeviceChange } from '../live/index.ts';
import { findMapping, mappingDomain } from '../mappings/index.ts';
import { canonicalAddress } from './canonical-address.ts';
import { VERIFIED_HOURS } from './verified-hours.ts';
import {
  extendVerifiedIp,
  findVerification,
  insertVerification,
  lockUser,
  secondsUntilNextIp,
  type VerificationRow,
} from './verification-store.ts';

type Caller = { userId: number; ip: string; userAgent: string };

const MAX_NEW_A_DAY = 20;

/**
 * Lets the address that an owner calls from pass one of their mappings, for programs that cannot hold a cookie. The same
 * address again counts longer. Throws mapping.not-found, gate.verified-ip-limit.
 */
export async function verifyAddress(db: Db, mappingId: number, caller: Caller): Promise<VerificationRow> {
  const { userId, userAgent } = caller;
  const visitorIp = canonicalAddress(caller.ip);
  return await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    const mapping = await findMapping(tx, mappingId, userId);
    if (mapping === undefined) throw new AppError('mapping.not-found');
    let id = await extendVerifiedIp(tx, { userId, mappingId, visitorIp }, VERIFIED_HOURS);
    if (id === undefined) {
      const retryAfterSeconds = await secondsUntilNextIp(tx, userId, MAX_NEW_A_DAY);
      if (retryAfterSeconds > 0) throw new AppError('gate.verified-ip-limit', { retryAfterSeconds });
      const proof = { kind: 'ip', userId, mappingId, host: mappingDomain(mapping), visitorIp, userAgent } as const;
      ({ id } = await insertVerification(tx, proof, VERIFIED_HOURS));
    }
    await announceDeviceChange(tx, { deviceId: mapping.deviceId, userId });
    return must(await findVerification(tx, id, userId), 'the verification just made');
  });
}
