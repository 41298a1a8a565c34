import { AppError, type DeviceRoutes } from '@tongtu/contract';
import type { HandshakeDeps } from './tunnel-handshake.ts';

/** Below what the server takes of one relay at once (128): more would be refused, and each has cost a handshake. */
const MAX_RUNNING = 100;
const MAX_WAITING = 4_096;

type Enrol = HandshakeDeps['enrol'];

/**
 * Asks the server for devices, not for all at once. An agent that gives up meanwhile is asked for all the same: its key
 * is known when it comes again.
 */
export class EnrolmentQueue {
  readonly #enrol: Enrol;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(enrol: Enrol) {
    this.#enrol = enrol;
  }

  /** Throws AppError like what it asks, and `request.too-many` when too many wait. */
  async enrol(request: Parameters<Enrol>[0]): Promise<DeviceRoutes> {
    if (this.#running < MAX_RUNNING) this.#running++;
    else if (this.#waiting.length < MAX_WAITING) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else throw new AppError('request.too-many');
    try {
      return await this.#enrol(request);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}
