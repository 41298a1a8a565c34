import { hasRole, type RoleFlags } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import type { VisiblePlaces } from './key-store.ts';
import { listPlaceIdsOf } from './place-store.ts';

/** Who looks at keys and places. */
export type Viewer = { userId: number; flags: RoleFlags };

/** Staff sees all keys; a promoter those of their own places. */
export async function listVisiblePlaces(db: Db, { userId, flags }: Viewer): Promise<VisiblePlaces> {
  return hasRole(flags, 'staff') ? 'all' : await listPlaceIdsOf(db, userId);
}
