import type { Db } from '../../db/driver.ts';
import {
  databaseClock,
  findSettledHour,
  listUsageBefore,
  listUsageOfLastDay,
  listUsageSince,
  type UsageSum,
} from './last-day-store.ts';

/** About 10 MB. */
const MAX_MAPPINGS = 50_000;
const NOTHING: UsageSum = { bytesIn: 0, bytesOut: 0, requests: 0 };

type Finished = { hour: Date; sums: Map<number, UsageSum> };

/**
 * The usage of the last 24 clock hours for lists of many mappings. The sums of the finished hours are kept until the next
 * hour begins, because reading 24 rows of each mapping takes most of the time.
 */
export class LastDayUsage {
  readonly #now;
  #finished: Finished | undefined;

  constructor({ now = databaseClock } = {}) {
    this.#now = now;
  }

  /** As `listUsageOfLastDay`, but a mapping without usage may also be there with zeros. */
  async list(db: Db, mappingIds: readonly number[]): Promise<Map<number, UsageSum>> {
    if (mappingIds.length === 0) return new Map();
    return (
      (await this.#listByFinished(db, mappingIds)) ??
      ((await this.#startHour(db)) ? await this.#listByFinished(db, mappingIds) : undefined) ??
      (await listUsageOfLastDay(db, mappingIds, this.#now))
    );
  }

  /** Undefined if the hour that is running is not the one for which sums are kept. */
  async #listByFinished(db: Db, mappingIds: readonly number[]): Promise<Map<number, UsageSum> | undefined> {
    const finished = this.#finished;
    if (finished === undefined) return undefined;
    const { runningHour, sums } = await listUsageSince(db, mappingIds, { hour: finished.hour, now: this.#now });
    if (runningHour.getTime() !== finished.hour.getTime()) return undefined;
    const before = await this.#sumsBefore(db, mappingIds, finished);
    return new Map(mappingIds.map((id) => [id, add(before.get(id), sums.get(id))]));
  }

  async #sumsBefore(db: Db, mappingIds: readonly number[], finished: Finished): Promise<ReadonlyMap<number, UsageSum>> {
    const missing = mappingIds.filter((id) => !finished.sums.has(id));
    if (missing.length === 0) return finished.sums;
    const read = await listUsageBefore(db, missing, finished.hour);
    const isFull = finished.sums.size + missing.length > MAX_MAPPINGS;
    const sums = isFull ? new Map(mappingIds.map((id) => [id, finished.sums.get(id) ?? NOTHING])) : finished.sums;
    for (const id of missing) sums.set(id, read.get(id) ?? NOTHING);
    if (isFull && this.#finished === finished) this.#finished = { hour: finished.hour, sums };
    return sums;
  }

  /** False while a report is being stored, which may belong to an hour that has just finished. */
  async #startHour(db: Db): Promise<boolean> {
    const hour = await findSettledHour(db, this.#now);
    if (hour === undefined) return false;
    this.#finished = { hour, sums: new Map() };
    return true;
  }
}

function add(finished: UsageSum = NOTHING, running: UsageSum | undefined): UsageSum {
  if (running === undefined) return finished;
  return {
    bytesIn: finished.bytesIn + running.bytesIn,
    bytesOut: finished.bytesOut + running.bytesOut,
    requests: finished.requests + running.requests,
  };
}
