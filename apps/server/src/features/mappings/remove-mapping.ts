import { must } from '@tongtu/base';
import type { Db } from '../../db/driver.ts';
import { announceDeviceChange } from '../live/index.ts';
import { deleteMapping } from './mapping-store.ts';
import { lockOwnMapping } from './own-mapping.ts';
import { releasePrefixes } from './released-prefix.ts';

/** Takes the public name away. Throws mapping.not-found. */
export async function removeMapping(db: Db, mapping: { id: number; userId: number }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockOwnMapping(tx, { mappingId: mapping.id, userId: mapping.userId });
    await releasePrefixes(tx, { mappingId: mapping.id });
    const deviceId = must(await deleteMapping(tx, mapping.id, mapping.userId), 'the locked mapping');
    await announceDeviceChange(tx, { deviceId, userId: mapping.userId });
  });
}
