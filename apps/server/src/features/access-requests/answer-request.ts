import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUserForKeyShare } from '../../db/lock-user.ts';
import { announceVerifications } from '../live/index.ts';
import { getOwnMappingForChange } from '../mappings/index.ts';
import { addAccountAsMember } from '../sharing/index.ts';
import { deletePendingRequest, findPendingRequest, markRequestRefused } from './access-request-store.ts';

type OwnRequest = { id: number; userId: number };

/**
 * Makes the account that asks a member, for so many hours or until it is removed. Throws access-request.not-found,
 * member.limit-reached, share.not-possible.
 */
export async function allowRequest(db: Db, own: OwnRequest, validHours: number | null): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { mappingId, userId, account } = await getOwnRequest(tx, own);
    // Its deletion locks the account before its requests.
    if (!(await lockUserForKeyShare(tx, userId))) notFound();
    const mapping = await getOwnMappingForChange(tx, { mappingId, userId: own.userId });
    if (!(await deletePendingRequest(tx, own.id))) notFound();
    await addAccountAsMember(tx, { mapping, ownerId: own.userId }, { userId, account, validHours });
  });
}

/** Throws access-request.not-found. */
export async function refuseRequest(db: Db, own: OwnRequest): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await getOwnRequest(tx, own);
    if (!(await markRequestRefused(tx, own.id))) notFound();
    await announceVerifications(tx, own.userId);
  });
}

async function getOwnRequest(tx: Db, { id, userId }: OwnRequest) {
  return (await findPendingRequest(tx, { id, ownerId: userId })) ?? notFound();
}

function notFound(): never {
  throw new AppError('access-request.not-found');
}
