import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import type { Session } from '../../http/session.ts';
import { hasSession } from './session-store.ts';

/**
 * Throws `session.required` when the session has ended since its call was authorized, as by a reset of the password. Call it
 * where somebody gets a way into the account that outlives the session, in the transaction, which has locked the account:
 * everything that ends sessions locks it, too.
 */
export async function assertNotEnded(tx: Db, { sessionId }: Session): Promise<void> {
  if (sessionId === undefined || !(await hasSession(tx, sessionId))) throw new AppError('session.required');
}
