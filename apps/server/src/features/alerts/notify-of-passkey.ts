import type { Db } from '../../db/driver.ts';
import { describeDevice } from '../../http/browser/describe-device.ts';
import { placeOf } from '../places/index.ts';
import { insertDelivery, listSubscribedChannels } from './delivery-store.ts';

/** Inserts the deliveries of an alert about a new passkey. Call it in the transaction that adds the passkey. */
export async function notifyOfPasskey(
  tx: Db,
  { userId, name, ip, userAgent }: { userId: number; name: string; ip: string; userAgent: string },
): Promise<void> {
  const details = {
    event: 'passkey_added' as const,
    at: new Date().toISOString(),
    name,
    browser: describeDevice(userAgent),
    place: placeOf(ip),
    ip,
  };
  for (const { id } of await listSubscribedChannels(tx, userId, 'passkey_added')) await insertDelivery(tx, id, details);
}
