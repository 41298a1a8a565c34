import type { Db } from '../../db/driver.ts';
import { lockTicketsForUpdate } from '../../db/lock-tickets.ts';
import { insertDeletedMappings, lockAllMappingsForUpdate, nameGoneDevice } from './deleted-mapping-store.ts';
import { releasePrefixes } from './released-prefix.ts';

/**
 * Before a device is deleted, whose row must be locked, and its mappings with it: ends what they have let in and keeps what
 * the records of that are shown with. Nobody comes in any more.
 */
export async function endMappingsOfDevice(tx: Db, deviceId: number): Promise<void> {
  // From above to below, as a visitor who comes in.
  await lockAllMappingsForUpdate(tx, { deviceId });
  await lockTicketsForUpdate(tx, { deviceId });
  await releasePrefixes(tx, { deviceId });
  await nameGoneDevice(tx, deviceId);
  await insertDeletedMappings(tx, { deviceId });
}

/** The same before an account is deleted, whose devices must be locked. No records stay of who was let in. */
export async function endMappingsOfUser(tx: Db, userId: number): Promise<void> {
  await lockAllMappingsForUpdate(tx, { userId });
  await lockTicketsForUpdate(tx, { userId });
  await releasePrefixes(tx, { userId });
}
