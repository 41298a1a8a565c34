import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { mappingDomain, type MappingRow } from '../mappings/index.ts';
import { assertMayBeTold } from './assert-room-for-proof.ts';
import { extendVerifiedIp, insertVerification, listNewIpsOfLastDay } from './verification-store.ts';

/** How long a verification counts, unless its owner ends or extends it. */
export const VERIFIED_HOURS = 48;

const MAX_NEW_A_DAY = 20;

/** How many more addresses the user may let pass today, and in how many seconds the next one, when none is left. */
export async function readIpAllowance(db: Db, userId: number): Promise<{ left: number; nextInSeconds: number }> {
  const rows = await listNewIpsOfLastDay(db, userId, MAX_NEW_A_DAY);
  const oldest = rows.at(-1)?.freeInSeconds ?? 0;
  const left = MAX_NEW_A_DAY - rows.length;
  return { left, nextInSeconds: left > 0 ? 0 : Math.max(1, oldest) };
}

/** Throws gate.verified-ip-limit, verification.limit-reached. */
export async function assertMayLetPass(db: Db, userId: number): Promise<void> {
  await assertMayBeTold(db, userId);
  const { left, nextInSeconds } = await readIpAllowance(db, userId);
  if (left <= 0) throw new AppError('gate.verified-ip-limit', { retryAfterSeconds: nextInSeconds });
}

/**
 * Lets an address pass a mapping for 48 hours; one that passes already counts longer. The owner must be locked and the
 * mapping held. Returns the verification's id. Throws gate.verified-ip-limit, verification.limit-reached.
 */
export async function letAddressPass(
  tx: Db,
  mapping: Pick<MappingRow, 'id' | 'deviceId' | 'prefix' | 'customDomain' | 'suffix'>,
  visitor: {
    ownerId: number;
    visitorIp: string;
    userAgent: string;
    grantedBy: 'own_address' | 'mark_client';
    /** The login that asks for it, held; null: none. */
    sessionId: number | null;
  },
): Promise<number> {
  const { ownerId } = visitor;
  const known = { mappingId: mapping.id, visitorIp: visitor.visitorIp, sessionId: visitor.sessionId };
  const extended = await extendVerifiedIp(tx, known, VERIFIED_HOURS);
  if (extended !== undefined) return extended;
  await assertMayLetPass(tx, ownerId);
  const { id: mappingId, deviceId } = mapping;
  const verification = { ...visitor, kind: 'ip', userId: ownerId, mappingId, deviceId } as const;
  const { id } = await insertVerification(
    tx,
    { ...verification, host: mappingDomain(mapping) },
    { validHours: VERIFIED_HOURS },
  );
  return id;
}
