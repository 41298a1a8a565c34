import { setTimeout as delay } from 'node:timers/promises';
import { createBackoff, must } from '@tongtu/base';
import type { Logger } from 'pino';
import { type ForkRelay, type HeartbeatLimits, RelayChild, RelayExitError, type RelayExit } from './relay-child.ts';
import type { RelayProcessConfig } from './relay-messages.ts';

/** After a relay has run for this long, the backoff starts anew. */
const STABLE_AFTER_MS = 30_000;
/** A try costs little, and visitors are refused until one succeeds. */
const MAX_PAUSE_MS = 5_000;
/** How long a relay may take to end in addition to its drain. */
const END_WITHIN_MS = 5_000;
/** The warm-up of a restarted relay. Devices pause 5 s at most before they dial again. */
const WARM_UP_MS = 8_000;

type Slot = {
  number: number;
  child: RelayChild;
  config: RelayProcessConfig | undefined;
  /** Resolves when the relay, or a restarted one, knows the routes. */
  ready: PromiseWithResolvers<void>;
  watching: Promise<void>;
  /** It was allowed to stop, and its successor does not serve visitors yet. */
  isRolling: boolean;
};
type Options = {
  count: number;
  drainMs: number;
  logLevel: string;
  /** A relay has bound its ports. */
  onGatewayPort?: (relay: number, port: number) => void;
  fork?: ForkRelay;
  heartbeat?: HeartbeatLimits;
};

/** The relay processes. Each is restarted when it ends, hangs or does not start. */
export class RelayProcesses implements AsyncDisposable {
  readonly #options: Options;
  readonly #log: Logger;
  readonly #stop = new AbortController();
  readonly #slots: Slot[];

  private constructor(options: Options, log: Logger) {
    this.#options = options;
    this.#log = log;
    this.#slots = Array.from({ length: options.count }, (_, index) => ({
      number: index + 1,
      child: this.#fork(index + 1),
      config: undefined,
      ready: Promise.withResolvers<void>(),
      watching: Promise.resolve(),
      isRolling: false,
    }));
  }

  /** Starts the processes; they load while the rest of the product starts. */
  static fork(options: Options, log: Logger): RelayProcesses {
    return new RelayProcesses(options, log);
  }

  /**
   * Resolves when all relays know the routes. Rejects with `code` and `port` when a port cannot be bound, with
   * RelayExitError when a process cannot be started or ends before it listens. A relay that has listened once is
   * restarted whenever it ends.
   */
  async start(configOf: (number: number) => RelayProcessConfig): Promise<void> {
    const { logLevel } = this.#options;
    const starts = this.#slots.map(async (slot) => {
      slot.config = configOf(slot.number);
      await slot.child.start(slot.config, logLevel);
      this.#announceGatewayPort(slot);
      reportReady(slot);
      slot.watching = this.#watch(slot);
    });
    await Promise.all(starts);
    await Promise.all(this.#slots.map(({ ready }) => ready.promise));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    const withinMs = this.#options.drainMs + END_WITHIN_MS;
    await Promise.all(this.#slots.map(({ child }) => child.stop(withinMs)));
    await Promise.all(this.#slots.map(({ watching }) => watching));
  }

  async #watch(slot: Slot): Promise<void> {
    const { signal } = this.#stop;
    const backoff = createBackoff({ firstMs: 200, maxMs: MAX_PAUSE_MS, random: Math.random });
    for (;;) {
      const startedAtMs = performance.now();
      const exit = await slot.child.exited;
      if (signal.aborted) return;
      if (performance.now() - startedAtMs > STABLE_AFTER_MS) backoff.reset();
      this.#logEnd(slot, exit);
      this.#openIfNoneServes();
      await delay(backoff.nextMs(), undefined, { signal }).catch(() => undefined); // stopping
      if (signal.aborted) return;
      await this.#startAgain(slot);
    }
  }

  async #startAgain(slot: Slot): Promise<void> {
    const config = must(slot.config, 'the configuration of a relay that ran');
    // While others serve visitors, their device count is what this one waits for. The devices of one that stops do not
    // count: they come back when it has ended, and nobody would serve visitors until then.
    const serving = this.#slots.filter(({ child }) => child.isServing);
    const devices = Math.max(0, ...serving.map(({ child }) => child.deviceCount));
    const warmUp = devices > 0 ? { warmUp: { devices, timeoutMs: WARM_UP_MS } } : {};
    slot.child = this.#fork(slot.number);
    reportReady(slot);
    try {
      await slot.child.start({ ...config, ...warmUp }, this.#options.logLevel);
      this.#announceGatewayPort(slot);
    } catch (err) {
      // #watch logs a process that ended or could not be started.
      if (this.#stop.signal.aborted || err instanceof RelayExitError) return;
      this.#log.error({ err, relay: slot.number }, 'a relay process did not start');
    }
  }

  #announceGatewayPort({ number, child: { gatewayPort } }: Slot): void {
    if (gatewayPort !== undefined) this.#options.onGatewayPort?.(number, gatewayPort);
  }

  #fork(number: number): RelayChild {
    const { fork, heartbeat } = this.#options;
    return RelayChild.fork(number, { fork, heartbeat, onChange: () => this.#handOverNext() });
  }

  /**
   * Lets relays stop one after the other: the next one when the successor of the last one serves visitors. Else nobody
   * would when an operator signals all of them at once.
   */
  #handOverNext(): void {
    if (this.#stop.signal.aborted) return;
    for (const slot of this.#slots) if (slot.child.isServing) slot.isRolling = false;
    if (this.#slots.some(({ isRolling }) => isRolling)) return;
    const next = this.#slots.find(({ child }) => child.wantsToHandOver);
    if (next === undefined) return;
    const isNeeded = this.#slots.length > 1 && !this.#slots.some((slot) => slot !== next && slot.child.isServing);
    if (isNeeded) return;
    next.isRolling = true;
    next.child.handOver();
    this.#openIfNoneServes();
  }

  /** A relay in its warm-up waits for devices because others serve visitors, which may have ended since. */
  #openIfNoneServes(): void {
    if (this.#slots.some(({ child }) => child.isServing)) return;
    for (const { child } of this.#slots) child.open();
  }

  #logEnd({ number }: Slot, exit: RelayExit): void {
    const relay = number;
    switch (exit.type) {
      case 'not-started':
        return this.#log.error({ relay, err: exit.error }, 'a relay process could not be started and is tried again');
      case 'hung':
        return this.#log.error({ relay }, 'a relay process hung, was killed and is started again');
      case 'ended': {
        const { code, signal } = exit;
        if (code === 0) this.#log.info({ relay }, 'a relay process has handed over and is started again');
        else this.#log.error({ relay, code, signal }, 'a relay process ended by itself and is started again');
      }
    }
  }
}

function reportReady({ child, ready }: Slot): void {
  child.whenReady().then(ready.resolve, () => {}); // after an earlier end the next process resolves it
}
