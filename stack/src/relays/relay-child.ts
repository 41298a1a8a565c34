import cluster, { type Worker } from 'node:cluster';
import { getCompileCacheDir } from 'node:module';
import { nodeEnvironment } from '@tongtu/base';
import { programFile } from '../program-file.ts';
import { BEAT_EVERY_MS, type FromRelay, type RelayProcessConfig, type ToRelay } from './relay-messages.ts';

/** By default V8 lets young objects take 128 MB when thousands of devices connect at once, and never frees it. */
const YOUNG_OBJECTS_MB = 16;

/** Starts the process of a relay. Throws, or lets the worker emit `error`, when the system refuses a process. */
export type ForkRelay = (number: number) => Worker;

export type HeartbeatLimits = {
  everyMs: number;
  /** Beats in a row that may be missing before the process counts as hung. */
  maxMissed: number;
  /** The same before its first beat: it has to load its program first. */
  maxMissedAtStart: number;
};

/**
 * Fifteen seconds: five times the longest measured block of the event loop (5 000 TLS handshakes at once on two cores).
 * Killing a relay that is only busy would make all its devices reconnect at once. On a busy machine loading may take a
 * minute.
 */
const defaultHeartbeat: HeartbeatLimits = { everyMs: BEAT_EVERY_MS, maxMissed: 15, maxMissedAtStart: 60 };

export type RelayExit =
  | { type: 'ended'; code: number | null; signal: NodeJS.Signals | null }
  /** It sent no beats and was killed. */
  | { type: 'hung' }
  /** The system refused a process: no program, no memory, too many processes or open files. */
  | { type: 'not-started'; error: Error };

/** A relay process ended, or could not be started, before it listened. */
export class RelayExitError extends Error {
  override readonly name = 'RelayExitError';
  readonly exit: RelayExit;
  constructor(exit: RelayExit) {
    const cause = exit.type === 'not-started' ? { cause: exit.error } : {};
    super(
      exit.type === 'ended' ? `a relay process ended (code ${exit.code}, signal ${exit.signal})` : exit.type,
      cause,
    );
    this.exit = exit;
  }
}

/** A relay in a process of its own, from its start to its end. */
export class RelayChild {
  /** Also resolves when the process could not be started. */
  readonly exited: Promise<RelayExit>;
  readonly #worker: Worker | undefined;
  readonly #end = Promise.withResolvers<RelayExit>();
  readonly #listening = Promise.withResolvers<void>();
  readonly #ready = Promise.withResolvers<void>();
  readonly #heartbeat: HeartbeatLimits;
  readonly #onChange: () => void;
  #missedBeats = 0;
  #hasBeaten = false;
  #isHung = false;
  #deviceCount = 0;
  #isReady = false;
  #isOpen = false;
  #isStopping = false;
  #wantsToHandOver = false;
  #gatewayPort: number | undefined;

  private constructor(fork: () => Worker, { heartbeat = defaultHeartbeat, onChange = () => {} }: ForkOptions) {
    this.#heartbeat = heartbeat;
    this.#onChange = onChange;
    this.exited = this.#end.promise;
    for (const { promise } of [this.#listening, this.#ready]) promise.catch(() => {}); // nobody has to wait
    try {
      this.#worker = fork();
      this.#watch(this.#worker);
    } catch (error) {
      // Node throws some of the system's refusals (ENOMEM) and emits others (EAGAIN, EMFILE, ENOENT).
      this.#onEnd({ type: 'not-started', error: error instanceof Error ? error : new Error(String(error)) });
    }
  }

  /**
   * Starts the process, which loads and then waits for its configuration. Never throws: a process that could not be
   * started counts as one that has ended.
   */
  static fork(number: number, options: ForkOptions = {}): RelayChild {
    const { fork = forkRelay } = options;
    return new RelayChild(() => fork(number), options);
  }

  /** Known when its ports are bound. */
  get gatewayPort(): number | undefined {
    return this.#gatewayPort;
  }

  get deviceCount(): number {
    return this.#deviceCount;
  }

  /** It knows the routes and takes new visitors. False from the moment in which it may stop. */
  get isServing(): boolean {
    return this.#isReady && this.#isOpen && !this.#isStopping;
  }

  /** An operator wants it replaced, and it has not been allowed to stop yet. */
  get wantsToHandOver(): boolean {
    return this.#wantsToHandOver && !this.#isStopping;
  }

  /** Resolves when its ports are bound. Rejects with `code` and `port` for a port in use, else with RelayExitError. */
  start(config: RelayProcessConfig, logLevel: string): Promise<void> {
    this.#send({ type: 'start', config, logLevel });
    return this.#listening.promise;
  }

  /** Resolves when it knows the routes; rejects when it ends earlier. */
  whenReady(): Promise<void> {
    return this.#ready.promise;
  }

  /** Ends its warm-up, because no other relay serves visitors. */
  open(): void {
    this.#send({ type: 'open' });
  }

  /** Lets it stop while other relays go on. */
  handOver(): void {
    this.#isStopping = true;
    this.#send({ type: 'hand-over' });
  }

  /** Lets open requests finish; kills the process after `withinMs`. Resolves when it has ended. */
  async stop(withinMs: number): Promise<void> {
    this.#isStopping = true;
    this.#send({ type: 'stop' });
    const timer = setTimeout(() => this.#worker?.process.kill('SIGKILL'), withinMs);
    await this.exited;
    clearTimeout(timer);
  }

  #watch(worker: Worker): void {
    worker.on('message', (message: FromRelay) => this.#onMessage(message));
    worker.on('error', (error) => {
      if (worker.process.pid !== undefined) return; // a message to a process that is ending failed; `exit` follows
      // There will be no `exit`, until which node:cluster would keep the worker.
      delete cluster.workers?.[worker.id];
      this.#onEnd({ type: 'not-started', error });
    });
    const ticks = setInterval(() => this.#countMissedBeat(worker), this.#heartbeat.everyMs);
    void this.exited.finally(() => clearInterval(ticks));
    worker.process.once('exit', (code, signal) => {
      this.#onEnd(this.#isHung ? { type: 'hung' } : { type: 'ended', code, signal });
    });
  }

  /**
   * Counted in ticks of this process, not by a clock: after this process was paused itself (SIGSTOP, a suspended
   * machine), only one tick passes before the messages that arrived meanwhile are read.
   */
  #countMissedBeat(worker: Worker): void {
    this.#missedBeats++;
    const { maxMissed, maxMissedAtStart } = this.#heartbeat;
    if (this.#missedBeats <= (this.#hasBeaten ? maxMissed : maxMissedAtStart)) return;
    this.#isHung = true;
    worker.process.kill('SIGKILL'); // also ends a process that SIGSTOP has paused
  }

  #onEnd(exit: RelayExit): void {
    this.#isStopping = true;
    const error = new RelayExitError(exit);
    this.#listening.reject(error);
    this.#ready.reject(error);
    this.#end.resolve(exit);
  }

  #send(message: ToRelay): void {
    if (this.#worker?.process.pid === undefined || !this.#worker.isConnected()) return;
    this.#worker.send(message, () => {}); // the process may be ending, which `exited` reports
  }

  #onMessage(message: FromRelay): void {
    this.#missedBeats = 0;
    this.#hasBeaten = true;
    switch (message.type) {
      case 'beat':
        return;
      case 'listening':
        this.#gatewayPort = message.gatewayPort;
        return this.#listening.resolve();
      case 'failed': {
        const { code, port } = message;
        return this.#listening.reject(Object.assign(new Error(message.message), { code, port }));
      }
      case 'ready':
        this.#isReady = true;
        this.#ready.resolve();
        return this.#onChange();
      case 'opened':
        this.#isOpen = true;
        return this.#onChange();
      case 'wants-to-hand-over':
        this.#wantsToHandOver = true;
        return this.#onChange();
      case 'devices':
        this.#deviceCount = message.count;
    }
  }
}

type ForkOptions = {
  fork?: ForkRelay | undefined;
  heartbeat?: HeartbeatLimits | undefined;
  /** `isServing` or `wantsToHandOver` may have become true. */
  onChange?: (() => void) | undefined;
};

function forkRelay(number: number): Worker {
  // This process makes the listening sockets and the relays share them, see docs/adr/0011. The system decides which
  // relay accepts a visitor.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({
    exec: programFile('relay-process'),
    args: [String(number)],
    execArgv: [`--max-semi-space-size=${YOUNG_OBJECTS_MB}`],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // node:cluster adds the whole environment of this process. A variable that is undefined is not passed on.
  const nothing = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]));
  // The compile cache of this process can be used again.
  const cache = { NODE_COMPILE_CACHE: getCompileCacheDir() ?? '' };
  return cluster.fork({ ...nothing, ...nodeEnvironment(process.env), ...cache });
}
