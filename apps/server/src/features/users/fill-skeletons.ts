import { skeletonOf } from '@tongtu/base';
import type { Db } from '../../db/driver.ts';
import { listWithoutSkeleton, setSkeleton } from './user-store.ts';

/**
 * Gives the names of older accounts their skeleton, so that no later name may look like one of them. Of those that look
 * alike already, the first account has it, and all keep their names.
 */
export async function fillSkeletons(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const { id, username } of await listWithoutSkeleton(tx)) await setSkeleton(tx, id, skeletonOf(username));
  });
}
