import { AppError, type DeviceRoutes } from '@tongtu/contract';
import type { HandshakeDeps } from './tunnel-handshake.ts';

/** Below the server's limit for one relay (128): more would be refused after a costly handshake. */
const MAX_RUNNING = 100;
const MAX_WAITING = 4_096;

type Enrol = HandshakeDeps['enrol'];

/**
 * Sends enrolments to the server, a few at a time. An agent that gives up is enrolled all the same: its key is known
 * when it returns.
 */
export class EnrolmentQueue {
  readonly #enrol: Enrol;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(enrol: Enrol) {
    this.#enrol = enrol;
  }

  /** Throws the server's AppError, and `request.too-many` when too many wait. */
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
