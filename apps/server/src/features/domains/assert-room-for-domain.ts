import { fieldError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { countWaitingDomains } from './domain-check-store.ts';

/** Each costs the server some look-ups a day, also where nobody will ever set its record. */
const MAX_WAITING_DOMAINS = 50;

/** Whether the user may have another domain that does not lead here yet. Throws mapping.domains-waiting. */
export async function assertRoomForDomain(tx: Db, userId: number): Promise<void> {
  if ((await countWaitingDomains(tx, userId)) >= MAX_WAITING_DOMAINS)
    throw fieldError('custom_domain', 'mapping.domains-waiting');
}
