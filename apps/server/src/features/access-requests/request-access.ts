import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUserForKeyShare } from '../../db/lock-user.ts';
import { countAgainst } from '../../http/limits/rate-limit.ts';
import { notifyOfAccessRequest } from '../alerts/index.ts';
import { announceVerifications } from '../live/index.ts';
import { findMappingByHost, findOwnMappingForChange, type MappedHost } from '../mappings/index.ts';
import { findMembership } from '../sharing/index.ts';
import { countRequestsOfLastDay, findRequestState, saveRequest } from './access-request-store.ts';

/** Requests of an account in 24 hours, also for addresses that do not exist. */
const MAX_OF_ACCOUNT = 10;
/** Requests for one mapping in 24 hours; further ones are not saved. */
const MAX_OF_MAPPING = 20;
const DAY_SECONDS = 86_400;

export type AccessWish = { userId: number; account: string; host: string | undefined; message: string };

/**
 * Saves a request and alerts the owner. Does nothing for an address that the account could not ask for; the caller's reply
 * is the same. Throws access-request.daily-limit, access-request.refused.
 */
export async function requestAccess(db: Db, wish: AccessWish): Promise<void> {
  const counted = { name: 'access request', key: String(wish.userId) };
  const limit = { ...counted, max: MAX_OF_ACCOUNT, windowSeconds: DAY_SECONDS };
  await countAgainst(db, limit, 'access-request.daily-limit');
  const mapped = wish.host === undefined ? undefined : await findMappingByHost(db, wish.host);
  if (mapped === undefined || !(await needsRequest(db, mapped, wish.userId))) return;
  const { mappingId } = mapped;
  const { userId, account, message } = wish;
  if ((await findRequestState(db, { mappingId, userId })) === 'refused') throw new AppError('access-request.refused');
  await db.transaction().execute(async (tx) => {
    // The account's row comes before the mapping's in the order of locks.
    if (!(await lockUserForKeyShare(tx, userId))) return;
    // Concurrent requests wait here, so that they stay below the limit together.
    if (!(await findOwnMappingForChange(tx, { mappingId, userId: mapped.userId }))) return;
    if ((await countRequestsOfLastDay(tx, mappingId)) >= MAX_OF_MAPPING) return;
    if (!(await saveRequest(tx, { mappingId, userId, message }))) return;
    await notifyOfAccessRequest(tx, mapped.userId, { account, message, domain: wish.host ?? '' });
    await announceVerifications(tx, mapped.userId);
  });
}

/** Whether the owner's consent is what the account lacks. */
async function needsRequest(db: Db, mapped: MappedHost, userId: number): Promise<boolean> {
  if (mapped.userId === userId || mapped.tlsPassthrough || !['owner', 'password'].includes(mapped.policy)) return false;
  return (await findMembership(db, { mappingId: mapped.mappingId, userId })) === undefined;
}
