import { must } from '@tongtu/base';
import type { Db } from '../../../db/driver.ts';
import { lockTicketsForUpdate } from '../../../db/lock-tickets.ts';
import { lockUserForNoKeyUpdate } from '../../../db/lock-user.ts';
import { announceAccessChange } from '../../live/index.ts';
import { insertDeletedMappings } from './deleted-mapping-store.ts';
import { deleteMapping } from '../mapping-store.ts';
import { getOwnMappingForChange } from '../get-mapping.ts';
import { releasePrefixes } from '../address/released-prefix.ts';

/** Deletes a mapping and revokes its proofs at once. Their records stay. Throws mapping.not-found. */
export async function removeMapping(db: Db, mapping: { id: number; userId: number }): Promise<void> {
  const { id: mappingId, userId } = mapping;
  await db.transaction().execute(async (tx) => {
    // First of all locks, in the same order as the deletion of the account.
    await lockUserForNoKeyUpdate(tx, userId);
    await getOwnMappingForChange(tx, { mappingId, userId });
    await lockTicketsForUpdate(tx, { mappingId });
    await releasePrefixes(tx, { mappingId });
    await insertDeletedMappings(tx, { mappingId });
    const deviceId = must(await deleteMapping(tx, mappingId, userId), 'the locked mapping');
    await announceAccessChange(tx, { deviceId, userId });
  });
}
