import type { Db } from '../../db/driver.ts';
import type { EndingPlan } from './alert-details.ts';
import { insertDelivery, listSubscribedChannels } from './delivery-store.ts';

/** Inserts the deliveries of an alert about plans of one account. Call it in the transaction that marks them as reported. */
export async function notifyOfPlans(
  tx: Db,
  userId: number,
  { event, plans }: { event: 'plan_expiring' | 'plan_expired'; plans: EndingPlan[] },
): Promise<void> {
  if (plans.length === 0) return;
  for (const { id } of await listSubscribedChannels(tx, userId, event)) {
    await insertDelivery(tx, id, { event, plans });
  }
}
