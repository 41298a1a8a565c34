import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import { runEvery } from '../../jobs/run-every.ts';
import { announceDeviceList } from '../live/index.ts';
import { listLivingRelays, listOwnersDependingOn } from './relay-store.ts';

const PERIOD_MS = 5_000;

/** Nobody tells when a relay vanishes: its devices are offline by the passing of time, so somebody has to look. */
export class RelayWatch implements AsyncDisposable {
  readonly #db: Db;
  readonly #job: AsyncDisposable;
  #living: Set<string> | undefined;

  constructor({ db, log }: { db: Db; log: Logger }) {
    this.#db = db;
    this.#job = runEvery({ name: 'look for vanished relays', everyMs: PERIOD_MS, run: () => this.check() }, log);
  }

  /** Tells the owners of all devices whose last relay vanished, or whose first came back, since the last look. */
  async check(): Promise<void> {
    const living = new Set(await listLivingRelays(this.#db));
    const known = this.#living ?? living;
    const changed = [...known, ...living].filter((id) => known.has(id) !== living.has(id));
    if (changed.length > 0) {
      await this.#db.transaction().execute(async (tx) => {
        await announceDeviceList(tx, await listOwnersDependingOn(tx, changed));
      });
    }
    this.#living = living;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#job[Symbol.asyncDispose]();
  }
}
