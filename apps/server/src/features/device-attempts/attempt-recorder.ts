import { surroundingsOf } from '@tongtu/base';
import type { DeviceAttemptKind } from '@tongtu/contract';
import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import { type AttemptRow, upsertAttempts } from './device-attempt-store.ts';

export type Attempt = { kind: DeviceAttemptKind; ip: string; userId?: number; deviceId?: number | undefined };

const STORE_AFTER_MS = 1_000;
/** Of one second: anybody can cause attempts, so a flood is stored in part only. */
const MAX_WAITING = 200;

/** Stores attempts together, once a second at most. Nobody waits for it. */
export class AttemptRecorder implements AsyncDisposable {
  readonly #deps: { db: Db; log: Logger };
  readonly #waiting = new Map<string, AttemptRow>();
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> = Promise.resolve();
  #isDisposed = false;

  constructor(deps: { db: Db; log: Logger }) {
    this.#deps = deps;
  }

  note({ kind, ip, userId, deviceId }: Attempt): void {
    if (this.#isDisposed) return;
    const network = surroundingsOf(ip);
    const key = [kind, network, userId, deviceId].join(' ');
    if (this.#waiting.size >= MAX_WAITING && !this.#waiting.has(key)) return;
    this.#waiting.set(key, { kind, network, userId, deviceId });
    this.#timer ??= setTimeout(() => void this.#store(), STORE_AFTER_MS).unref();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await this.#store();
  }

  async #store(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const rows = [...this.#waiting.values()];
    this.#waiting.clear();
    // One after the other: two statements could wait for each other's rows.
    this.#storing = this.#storing.then(async () => await this.#insert(rows));
    await this.#storing;
  }

  async #insert(rows: readonly AttemptRow[]): Promise<void> {
    if (rows.length === 0) return;
    try {
      await upsertAttempts(this.#deps.db, rows);
    } catch (err) {
      this.#deps.log.warn({ err }, 'could not store attempts of devices');
    }
  }
}
