import type { Db } from '../../db/driver.ts';
import { countDeliveriesOfLastHour, insertDelivery, listSubscribedChannels } from './delivery-store.ts';

/** Anybody with an account can ask: their requests must not use up the messages of a channel. The console lists all. */
const MAX_PER_HOUR = 5;

/** Inserts the deliveries of an alert about a request for access. Call it in the transaction that saves the request. */
export async function notifyOfAccessRequest(
  tx: Db,
  ownerId: number,
  request: { account: string; domain: string; message: string },
): Promise<void> {
  const details = { event: 'access_request' as const, at: new Date().toISOString(), ...request };
  for (const { id } of await listSubscribedChannels(tx, ownerId, 'access_request')) {
    if ((await countDeliveriesOfLastHour(tx, id, 'access_request')) < MAX_PER_HOUR)
      await insertDelivery(tx, id, details);
  }
}
