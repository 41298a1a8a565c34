import type { Socket } from 'node:net';
import { wait } from '../net/wait.ts';
import { dialTcp } from '../forward/dial-tcp.ts';
import { TargetError } from '../forward/target-error.ts';
import { isInSubnets, type Subnet } from './own-subnets.ts';

/** Home routers track a few thousand connections, and the agent may run on one. */
const MAX_OPEN_SOCKETS = 64;
const MAX_CONNECTS_PER_SECOND = 200;

export type PacedDialerOptions = {
  subnets: readonly Subnet[];
  signal: AbortSignal;
  maxOpenSockets?: number;
  maxConnectsPerSecond?: number;
  monotonicMs?: () => number;
  pause?: typeof wait;
};

/** Opens all TCP connections of a scan: only to the own private networks, and only so many at once and in a second. */
export class PacedDialer {
  readonly #subnets: readonly Subnet[];
  readonly #signal: AbortSignal;
  readonly #intervalMs: number;
  readonly #monotonicMs: () => number;
  readonly #pause: typeof wait;
  readonly #waiting: (() => void)[] = [];
  #freeCount: number;
  #nextAtMs = 0;

  constructor(options: PacedDialerOptions) {
    this.#subnets = options.subnets;
    this.#signal = options.signal;
    this.#freeCount = options.maxOpenSockets ?? MAX_OPEN_SOCKETS;
    this.#monotonicMs = options.monotonicMs ?? (() => performance.now());
    this.#pause = options.pause ?? wait;
    this.#intervalMs = 1000 / (options.maxConnectsPerSecond ?? MAX_CONNECTS_PER_SECOND);
  }

  /** Throws TargetError. The place of the socket is free again when it is closed. */
  async dial(address: string, port: number, timeoutMs: number): Promise<Socket> {
    if (!isInSubnets(this.#subnets, address)) throw new TargetError('notAllowed');
    await this.#takePlace();
    const limit = new AbortController();
    const abort = () => limit.abort(new TargetError('timeout'));
    this.#signal.addEventListener('abort', abort, { once: true });
    let timer: NodeJS.Timeout | undefined;
    try {
      await this.#waitForTurn();
      if (this.#signal.aborted) abort();
      timer = setTimeout(abort, timeoutMs);
      const socket = await dialTcp([address], port, limit.signal);
      socket.once('close', () => this.#givePlace());
      return socket;
    } catch (error) {
      this.#givePlace();
      throw error;
    } finally {
      clearTimeout(timer);
      this.#signal.removeEventListener('abort', abort);
    }
  }

  async #takePlace(): Promise<void> {
    if (this.#freeCount > 0) this.#freeCount--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #givePlace(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#freeCount++;
  }

  async #waitForTurn(): Promise<void> {
    const startMs = this.#monotonicMs();
    const atMs = Math.max(startMs, this.#nextAtMs);
    this.#nextAtMs = atMs + this.#intervalMs;
    if (atMs > startMs) await this.#pause(atMs - startMs, this.#signal);
  }
}
