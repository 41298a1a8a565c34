import type { Db } from '../../db/driver.ts';
import type { SharedJob } from '../../jobs/run-shared-jobs.ts';
import { recordAuditEntry } from '../audit/index.ts';
import { expireSome } from './key-store.ts';

const EXPIRE_EVERY_SECONDS = 15;
/** In one transaction, so that no redemption waits for long. */
const PORTION = 1_000;

/** Jobs of the product keys. */
export function productKeyJobs(deps: { db: Db }): SharedJob[] {
  const run = async (): Promise<void> => await expireKeys(deps.db);
  return [{ name: 'expire product keys', everySeconds: EXPIRE_EVERY_SECONDS, run }];
}

/** Gives every key whose time is over the status `expired`. It could not be redeemed any more before, either. */
export async function expireKeys(db: Db): Promise<void> {
  for (;;) {
    const expired = await db.transaction().execute(async (tx) => {
      const batches = await expireSome(tx, PORTION);
      for (const { batchId, count } of batches) {
        await recordAuditEntry(tx, 'service', {
          action: 'product-keys.expired',
          object: { type: 'key-batch', id: batchId, name: '' },
          after: { count },
        });
      }
      return batches.length;
    });
    if (expired === 0) return;
  }
}
