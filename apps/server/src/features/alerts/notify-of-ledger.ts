import type { Db } from '../../db/driver.ts';
import {
  countDeliveriesOfLastHour,
  insertDelivery,
  listSubscribedChannels,
  listSuperuserIds,
} from './delivery-store.ts';

/** The check can be started by hand, and what does not balance stays so until somebody has looked. */
const MAX_PER_HOUR = 5;
const MAX_PROBLEMS = 5;

/** Inserts the deliveries of an alert to all superusers: the ledger or a provider's bill does not balance. */
export async function notifyOfLedger(tx: Db, problems: readonly string[]): Promise<void> {
  const details = {
    event: 'ledger_unbalanced' as const,
    at: new Date().toISOString(),
    problems: problems.slice(0, MAX_PROBLEMS),
    problemCount: problems.length,
  };
  for (const userId of await listSuperuserIds(tx)) {
    for (const { id } of await listSubscribedChannels(tx, userId, 'ledger_unbalanced')) {
      if ((await countDeliveriesOfLastHour(tx, id, 'ledger_unbalanced')) < MAX_PER_HOUR)
        await insertDelivery(tx, id, details);
    }
  }
}
