import { AppError, type ShareCreate } from '@tongtu/contract';
import type { z } from 'zod';
import type { Db } from '../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import { hashSecret } from '../../hash-secret.ts';
import { announceAccessChange } from '../live/index.ts';
import { getOwnMapping, findOwnMappingForChange, getOwnMappingForChange } from '../mappings/index.ts';
import { markGroundsRevoked } from '../verifications/index.ts';
import { assertShareable } from './assert-shareable.ts';
import { createShareCode, sealShareCode } from './share-code.ts';
import {
  countActiveLinks,
  findMappingOfCodeHash,
  findMappingOfLink,
  findOwnShareLink,
  findUsableLink,
  insertShareLink,
  type LinkTarget,
  listLinksOfLastDay,
  listShareLinks,
  markLinkRevoked,
  type ShareLinkRow,
} from './share-link-store.ts';

export type ShareLinkDeps = { db: Db; sealingKey: Buffer };

const MAX_ACTIVE_LINKS = 50;
/** For each owner: revoked links are kept as records, and this bounds their number. */
const MAX_NEW_PER_DAY = 200;

/** Throws mapping.not-found. */
export async function listLinksOfMapping(db: Db, own: { mappingId: number; userId: number }): Promise<ShareLinkRow[]> {
  const mapping = await getOwnMapping(db, own);
  return await listShareLinks(db, mapping.id);
}

/** Throws share.not-found. */
export async function getOwnShareLink(db: Db, own: { id: number; userId: number }): Promise<ShareLinkRow> {
  const link = await findOwnShareLink(db, own);
  if (link === undefined) throw new AppError('share.not-found');
  return link;
}

/** Throws mapping.not-found, share.not-possible, share.limit-reached, share.daily-limit. */
export async function createShareLink(
  { db, sealingKey }: ShareLinkDeps,
  own: { mappingId: number; userId: number },
  input: z.output<typeof ShareCreate>,
): Promise<ShareLinkRow> {
  const { mappingId } = own;
  return await db.transaction().execute(async (tx) => {
    await lockUserForNoKeyUpdate(tx, own.userId);
    // The lock on the mapping makes concurrent calls wait, so that they stay below the limit together.
    const mapping = await getOwnMappingForChange(tx, own);
    assertShareable(mapping);
    if ((await countActiveLinks(tx, mappingId)) >= MAX_ACTIVE_LINKS) throw new AppError('share.limit-reached');
    await assertRoomToday(tx, own.userId);
    const code = createShareCode();
    const secret = { codeHash: hashSecret(code), codeSealed: sealShareCode(sealingKey, code) };
    const values = { ...secret, mappingId, label: input.label, maxUses: input.max_uses };
    return await insertShareLink(tx, values, input.valid_hours);
  });
}

/** Counts created links, so that refused calls do not count. The owner must be locked. */
async function assertRoomToday(tx: Db, userId: number): Promise<void> {
  const links = await listLinksOfLastDay(tx, userId, MAX_NEW_PER_DAY);
  const oldest = links[MAX_NEW_PER_DAY - 1];
  if (oldest) throw new AppError('share.daily-limit', { retryAfterSeconds: Math.max(1, oldest.agesOutInSeconds) });
}

/**
 * Revokes the link and the verifications that it led to. A link that is already revoked is not announced again. Throws
 * share.not-found.
 */
export async function revokeShareLink(db: Db, own: { id: number; userId: number }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const link = await findMappingOfLink(tx, { id: own.id, ownerId: own.userId });
    // Checked before the mapping is locked, because this call has no limit.
    if (link?.isRevoked === true) return;
    // A visitor who is just coming in also locks the mapping, so their proof is revoked here or never inserted.
    const mapping = link && (await findOwnMappingForChange(tx, { mappingId: link.mappingId, userId: own.userId }));
    if (mapping === undefined) throw new AppError('share.not-found');
    if (!(await markLinkRevoked(tx, own.id))) return;
    await markGroundsRevoked(tx, { shareLinkId: own.id });
    await announceAccessChange(tx, { deviceId: mapping.deviceId, userId: own.userId });
  });
}

/** The mapping that the code of a link leads to, and whether the link was revoked or has expired. */
export async function findMappingOfCode(db: Db, code: string): Promise<LinkTarget | undefined> {
  return await findMappingOfCodeHash(db, hashSecret(code));
}

/** The mapping's link with this code, as long as another browser may use it. */
export async function findLinkByCode(db: Db, mappingId: number, code: string): Promise<{ id: number } | undefined> {
  return await findUsableLink(db, { mappingId, codeHash: hashSecret(code) });
}
