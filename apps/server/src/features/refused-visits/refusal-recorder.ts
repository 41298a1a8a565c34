import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import { announceVerifications } from '../live/index.ts';
import { countRefusal, deleteExcessRefusals, type Refusal } from './refused-visit-store.ts';

export type { Refusal } from './refused-visit-store.ts';

/** More are not recorded: a flood must not take the connections to the database. */
const MAX_WRITING = 2;

/** Records refusals beside the request, which neither waits for it nor fails with it. */
export class RefusalRecorder {
  readonly #db: Db;
  #writing = 0;

  constructor(db: Db) {
    this.#db = db;
  }

  record(refusal: Refusal, log: Pick<Logger, 'error'>): void {
    if (this.#writing >= MAX_WRITING) return;
    this.#writing++;
    const { mappingId } = refusal;
    void this.#save(refusal)
      .catch((err: unknown) => log.error({ err, mappingId }, 'a refused visit could not be recorded'))
      .finally(() => this.#writing--);
  }

  async #save(refusal: Refusal): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      if ((await countRefusal(tx, refusal)) !== 'first') return;
      await deleteExcessRefusals(tx, refusal.mappingId);
      await announceVerifications(tx, refusal.ownerId);
    });
  }
}
