import { AppError } from '@tongtu/contract';
import type { Logger } from 'pino';

/** Devices of an account that download at the same time, from this server or over its line. */
const AT_ONCE = 8;
const MAX_WAITING = 1_000;

type Line = { running: number; waiting: (() => void)[] };

/** Upgrades in progress. Each account has a line of its own, so that slow devices of one delay nobody else. */
export class UpgradeQueue {
  readonly #log: Logger;
  readonly #lines = new Map<number, Line>();
  readonly #ofDevices = new Map<number, Promise<void>>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Upgrades a device when it is its turn. A device that is being upgraded already is not upgraded twice. */
  run({ userId, deviceId }: { userId: number; deviceId: number }, upgrade: () => Promise<void>): Promise<void> {
    const earlier = this.#ofDevices.get(deviceId);
    if (earlier !== undefined) return earlier;
    const outcome = this.#runInTurn(userId, upgrade).finally(() => this.#ofDevices.delete(deviceId));
    this.#ofDevices.set(deviceId, outcome);
    outcome.catch((err: unknown) => {
      const level = err instanceof AppError ? 'warn' : 'error';
      this.#log[level]({ err, deviceId }, 'a device was not upgraded');
    });
    return outcome;
  }

  async #runInTurn(userId: number, upgrade: () => Promise<void>): Promise<void> {
    const line = this.#lines.get(userId) ?? { running: 0, waiting: [] };
    this.#lines.set(userId, line);
    if (line.running >= AT_ONCE) {
      if (line.waiting.length >= MAX_WAITING) throw new AppError('request.too-many');
      await new Promise<void>((resolve) => line.waiting.push(resolve)); // the one that ends leaves its place to it
    } else {
      line.running++;
    }
    try {
      await upgrade();
    } finally {
      const next = line.waiting.shift();
      if (next !== undefined) next();
      else if (--line.running === 0) this.#lines.delete(userId);
    }
  }
}
