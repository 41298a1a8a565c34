import type { Logger } from 'pino';
import type { Db } from '../../../db/driver.ts';
import { runEvery } from '../../../jobs/run-every.ts';
import { announceDeviceList } from '../../live/index.ts';
import { listAliveRelays, listOwnersDependingOn } from './relay-store.ts';

const PERIOD_MS = 5_000;

/** A lost relay causes no event: its devices become offline when its heartbeat times out. So a job checks for lost relays. */
export class RelayWatch implements AsyncDisposable {
  readonly #db: Db;
  readonly #job: AsyncDisposable;
  #alive: Set<string> | undefined;

  constructor({ db, log }: { db: Db; log: Logger }) {
    this.#db = db;
    this.#job = runEvery({ name: 'check for lost relays', everyMs: PERIOD_MS, run: () => this.check() }, log);
  }

  /** Notifies owners whose devices went offline or came online because a relay was lost or came back since the last check. */
  async check(): Promise<void> {
    const alive = new Set(await listAliveRelays(this.#db));
    const known = this.#alive ?? alive;
    const changed = [...known, ...alive].filter((id) => known.has(id) !== alive.has(id));
    if (changed.length > 0) {
      await this.#db.transaction().execute(async (tx) => {
        await announceDeviceList(tx, await listOwnersDependingOn(tx, changed));
      });
    }
    this.#alive = alive;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#job[Symbol.asyncDispose]();
  }
}
