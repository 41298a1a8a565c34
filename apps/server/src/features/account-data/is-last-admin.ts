import type { Db } from '../../db/driver.ts';
import { lockStayingAdminsForNoKeyUpdate } from './account-store.ts';

/**
 * Whether no administrator would be left without this account. Asked before it stops being one, in the same transaction:
 * of two who stop at once, the second sees what the first did.
 */
export async function isLastAdmin(tx: Db, userId: number): Promise<boolean> {
  const staying = await lockStayingAdminsForNoKeyUpdate(tx, userId);
  return staying.length === 1 && staying[0] === userId;
}
