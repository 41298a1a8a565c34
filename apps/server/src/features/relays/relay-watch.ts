import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import { announceDeviceList } from '../live/index.ts';
import { listLivingRelays, listOwnersDependingOn } from './relay-store.ts';

const PERIOD_MS = 5_000;

/** Nobody tells when a relay vanishes: its devices are offline by the passing of time, so somebody has to look. */
export class RelayWatch implements AsyncDisposable {
  readonly #db: Db;
  readonly #timer: NodeJS.Timeout;
  #living: Set<string> | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor({ db, log }: { db: Db; log: Logger }) {
    this.#db = db;
    let isRunning = false;
    this.#timer = setInterval(() => {
      if (isRunning) return;
      isRunning = true;
      this.#running = this.check()
        .catch((err: unknown) => log.warn({ err }, 'could not look for vanished relays'))
        .finally(() => (isRunning = false));
    }, PERIOD_MS);
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
    clearInterval(this.#timer);
    await this.#running;
  }
}
