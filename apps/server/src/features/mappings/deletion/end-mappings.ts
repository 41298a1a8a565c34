import type { Db } from '../../../db/driver.ts';
import { lockTicketsForUpdate } from '../../../db/lock-tickets.ts';
import { insertDeletedMappings, lockAllMappingsForUpdate, storeLastDeviceName } from './deleted-mapping-store.ts';
import { releasePrefixes } from '../address/released-prefix.ts';

/**
 * Called before a device and its mappings are deleted: revokes their proofs and stores the names with which records are
 * shown. The caller has locked the device.
 */
export async function endMappingsOfDevice(tx: Db, deviceId: number): Promise<void> {
  // Mappings before tickets, in the same order as a redemption.
  await lockAllMappingsForUpdate(tx, { deviceId });
  await lockTicketsForUpdate(tx, { deviceId });
  await releasePrefixes(tx, { deviceId });
  await storeLastDeviceName(tx, deviceId);
  await insertDeletedMappings(tx, { deviceId });
}

/** Called before an account is deleted, together with all its records. The caller has locked its devices. */
export async function endMappingsOfUser(tx: Db, userId: number): Promise<void> {
  await lockAllMappingsForUpdate(tx, { userId });
  await lockTicketsForUpdate(tx, { userId });
  await releasePrefixes(tx, { userId });
}
