import { AppError, type ShareCreate } from '@tongtu/contract';
import type { z } from 'zod';
import type { Db } from '../../db/driver.ts';
import { lockUser } from '../../db/lock-user.ts';
import { hashSecret } from '../../hash-secret.ts';
import { announceAccessChange } from '../live/index.ts';
import { getOwnMapping, findOwnMappingForChange, getOwnMappingForChange, type MappingRow } from '../mappings/index.ts';
import { markGroundsRevoked } from '../verifications/index.ts';
import { assertTakesCookies } from './assert-takes-cookies.ts';
import { createShareCode, sealShareCode } from './share-code.ts';
import {
  countActiveLinks,
  findMappingOfLink,
  findOpenLink,
  insertShareLink,
  listLinksOfLastDay,
  listShareLinks,
  markLinkRevoked,
  type ShareLinkRow,
} from './share-link-store.ts';

export type ShareLinkDeps = { db: Db; sealingKey: Buffer };

const MAX_ACTIVE_LINKS = 50;
/** Of one owner: what was revoked is kept for its records, and must not pile up. */
const MAX_NEW_A_DAY = 200;

/** Throws mapping.not-found. */
export async function listLinksOfMapping(
  db: Db,
  own: { mappingId: number; userId: number },
): Promise<{ mapping: MappingRow; links: ShareLinkRow[] }> {
  const mapping = await getOwnMapping(db, own);
  return { mapping, links: await listShareLinks(db, mapping.id) };
}

/** Throws mapping.not-found, share.not-possible, share.limit-reached, share.daily-limit. */
export async function createShareLink(
  { db, sealingKey }: ShareLinkDeps,
  own: { mappingId: number; userId: number },
  input: z.output<typeof ShareCreate>,
): Promise<{ mapping: MappingRow; link: ShareLinkRow }> {
  const { mappingId } = own;
  return await db.transaction().execute(async (tx) => {
    await lockUser(tx, own.userId);
    // Others who share it wait here, so that all together stay below the limit.
    const mapping = await getOwnMappingForChange(tx, own);
    assertTakesCookies(mapping);
    if ((await countActiveLinks(tx, mappingId)) >= MAX_ACTIVE_LINKS) throw new AppError('share.limit-reached');
    await assertRoomToday(tx, own.userId);
    const code = createShareCode();
    const secret = { codeHash: hashSecret(code), codeSealed: sealShareCode(sealingKey, code) };
    const values = { ...secret, mappingId, label: input.label, maxUses: input.max_uses };
    return { mapping, link: await insertShareLink(tx, values, input.valid_hours) };
  });
}

/** Counts what was made, so that nothing is used up by what was refused. The owner must be locked. */
async function assertRoomToday(tx: Db, userId: number): Promise<void> {
  const links = await listLinksOfLastDay(tx, userId, MAX_NEW_A_DAY);
  const oldest = links[MAX_NEW_A_DAY - 1];
  if (oldest) throw new AppError('share.daily-limit', { retryAfterSeconds: Math.max(1, oldest.freeInSeconds) });
}

/**
 * Lets nobody in any more, and ends at once what it has let in. Of one that was revoked nothing is left: nobody is told of it
 * again. Throws share.not-found.
 */
export async function revokeShareLink(db: Db, own: { id: number; userId: number }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const link = await findMappingOfLink(tx, { id: own.id, ownerId: own.userId });
    // Before the mapping is locked: there is no limit to how often somebody asks.
    if (link?.isRevoked === true) return;
    // Who is just being let in holds the mapping: their proof is ended with the others, or never made.
    const mapping = link && (await findOwnMappingForChange(tx, { mappingId: link.mappingId, userId: own.userId }));
    if (mapping === undefined) throw new AppError('share.not-found');
    if (!(await markLinkRevoked(tx, own.id))) return;
    await markGroundsRevoked(tx, { shareLinkId: own.id });
    await announceAccessChange(tx, { deviceId: mapping.deviceId, userId: own.userId });
  });
}

/** The link that a visitor's code belongs to, as long as it may let one more browser in to this mapping. */
export async function findLinkByCode(db: Db, mappingId: number, code: string): Promise<{ id: number } | undefined> {
  return await findOpenLink(db, { mappingId, codeHash: hashSecret(code) });
}
