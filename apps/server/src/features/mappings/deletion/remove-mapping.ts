import { must } from '@tongtu/base';
import type { Db } from '../../../db/driver.ts';
import { lockTicketsForUpdate } from '../../../db/lock-tickets.ts';
import { lockUserForNoKeyUpdate } from '../../../db/lock-user.ts';
import type { Caller } from '../../../http/session.ts';
import { announceAccessChange } from '../../live/index.ts';
import { assertMayRemove } from '../assert-may-widen.ts';
import { insertDeletedMappings } from './deleted-mapping-store.ts';
import { deleteMapping } from '../mapping-store.ts';
import { getOwnMappingForChange } from '../get-mapping.ts';
import { releasePrefixes } from '../address/released-prefix.ts';

/**
 * Deletes a mapping and revokes its proofs at once. Their records stay. Throws mapping.not-found, and session.confirm-required
 * where a protection is deleted, too.
 */
export async function removeMapping(db: Db, mapping: Caller & { id: number }): Promise<void> {
  const { userId } = mapping;
  await db.transaction().execute(async (tx) => {
    // First of all locks, in the same order as the deletion of the account.
    await lockUserForNoKeyUpdate(tx, userId);
    await getOwnMappingForChange(tx, { mappingId: mapping.id, userId });
    await assertMayRemove(tx, mapping, mapping.id);
    const deviceId = await removeInTransaction(tx, mapping);
    await announceAccessChange(tx, { deviceId, userId });
  });
}

/** Like removeMapping, in a transaction of the caller, who has locked the account and notifies the relays. Returns the device. */
export async function removeInTransaction(
  tx: Db,
  { id: mappingId, userId }: { id: number; userId: number },
): Promise<number> {
  await getOwnMappingForChange(tx, { mappingId, userId });
  await lockTicketsForUpdate(tx, { mappingId });
  await releasePrefixes(tx, { mappingId });
  await insertDeletedMappings(tx, { mappingId });
  return must(await deleteMapping(tx, mappingId, userId), 'the locked mapping');
}
