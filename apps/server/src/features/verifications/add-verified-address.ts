import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { mappingDomain, type MappingRow } from '../mappings/index.ts';
import { assertMayPublishProof } from './assert-room-for-proof.ts';
import { extendVerifiedIp, insertVerification, listNewIpsOfLastDay } from './verification-store.ts';

/** How long a verification is valid unless its owner revokes or extends it. */
export const VERIFIED_HOURS = 48;

const MAX_NEW_PER_DAY = 20;

/** How many more addresses the user may verify today, and the seconds until the next one if none is left. */
export async function readAddressAllowance(db: Db, userId: number): Promise<{ left: number; nextInSeconds: number }> {
  const rows = await listNewIpsOfLastDay(db, userId, MAX_NEW_PER_DAY);
  const oldest = rows.at(-1)?.expiresInSeconds ?? 0;
  const left = MAX_NEW_PER_DAY - rows.length;
  return { left, nextInSeconds: left > 0 ? 0 : Math.max(1, oldest) };
}

/** Throws gate.verified-ip-limit, verification.limit-reached. */
export async function assertMayVerifyAddress(db: Db, userId: number): Promise<void> {
  await assertMayPublishProof(db, userId);
  const { left, nextInSeconds } = await readAddressAllowance(db, userId);
  if (left <= 0) throw new AppError('gate.verified-ip-limit', { retryAfterSeconds: nextInSeconds });
}

/**
 * Verifies an address at a mapping for 48 hours, or extends its valid verification. The caller has locked owner and
 * mapping. Returns the verification's id. Throws gate.verified-ip-limit, verification.limit-reached.
 */
export async function addVerifiedAddress(
  tx: Db,
  mapping: Pick<MappingRow, 'id' | 'deviceId' | 'prefix' | 'customDomain' | 'suffix'>,
  visitor: {
    ownerId: number;
    visitorIp: string;
    userAgent: string;
    grantedBy: 'own_address' | 'mark_client';
    /** The login that requests it, which the caller has locked. Null without one. */
    sessionId: number | null;
  },
): Promise<number> {
  const { ownerId } = visitor;
  const known = { mappingId: mapping.id, visitorIp: visitor.visitorIp, sessionId: visitor.sessionId };
  const extended = await extendVerifiedIp(tx, known, VERIFIED_HOURS);
  if (extended !== undefined) return extended;
  await assertMayVerifyAddress(tx, ownerId);
  const { id: mappingId, deviceId } = mapping;
  const verification = { ...visitor, kind: 'ip', userId: ownerId, mappingId, deviceId } as const;
  const { id } = await insertVerification(
    tx,
    { ...verification, host: mappingDomain(mapping) },
    { validHours: VERIFIED_HOURS },
  );
  return id;
}
