import type { Db } from '../../db/driver.ts';
import { insertDelivery, listSubscribedChannels } from './delivery-store.ts';

/** Inserts the deliveries of an alert about a request for access. Call it in the transaction that saves the request. */
export async function notifyOfAccessRequest(
  tx: Db,
  ownerId: number,
  request: { account: string; domain: string; message: string },
): Promise<void> {
  const details = { event: 'access_request' as const, at: new Date().toISOString(), ...request };
  for (const { id } of await listSubscribedChannels(tx, ownerId, 'access_request'))
    await insertDelivery(tx, id, details);
}
