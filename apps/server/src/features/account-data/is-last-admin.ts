import type { Db } from '../../db/driver.ts';
import { lockRemainingAdminsForNoKeyUpdate } from './account-store.ts';

/**
 * Whether this account is the last superuser. Call it in the transaction that takes the role away or deletes the account:
 * the lock makes the second of two concurrent changes see the first.
 */
export async function isLastAdmin(tx: Db, userId: number): Promise<boolean> {
  const staying = await lockRemainingAdminsForNoKeyUpdate(tx, userId);
  return staying.length === 1 && staying[0] === userId;
}
