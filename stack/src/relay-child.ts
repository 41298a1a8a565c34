import cluster, { type Worker } from 'node:cluster';
import { getCompileCacheDir } from 'node:module';
import path from 'node:path';
import { BEAT_EVERY_MS, type FromRelay, type RelayProcessConfig, type ToRelay } from './relay-messages.ts';

const PROGRAM = path.join(import.meta.dirname, 'relay-process.ts');
/** By itself V8 lets young objects take 128 MB when thousands of devices come at once, and never gives it back. */
const YOUNG_OBJECTS_MB = 16;

/** How one process of a relay is made. Throws, or lets the worker emit `error`, when the system gives no process. */
export type ForkRelay = (number: number) => Worker;

export type HeartbeatLimits = {
  everyMs: number;
  /** Beats in a row that may be missing before the process counts as hung. */
  maxMissed: number;
  /** The same before its first beat, for which it has to load its program. */
  maxMissedAtStart: number;
};

/**
 * Fifteen seconds: five times the longest that a relay was seen to block its event loop (5 000 TLS handshakes at once on
 * two cores). To kill one that is only busy would bring all its devices back at once. Loading may take a minute on a
 * machine that has much else to do.
 */
const defaultHeartbeat: HeartbeatLimits = { everyMs: BEAT_EVERY_MS, maxMissed: 15, maxMissedAtStart: 60 };

export type RelayExit =
  | { type: 'ended'; code: number | null; signal: NodeJS.Signals | null }
  /** It answered no more, and was killed for that. */
  | { type: 'hung' }
  /** The system gave no process: no program, no memory, too many processes or open files. */
  | { type: 'not-started'; error: Error };

/** A relay ended, or never began, before it listened. */
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
  /** Also resolves when there never was a process. */
  readonly exited: Promise<RelayExit>;
  readonly #worker: Worker | undefined;
  readonly #end = Promise.withResolvers<RelayExit>();
  readonly #listening = Promise.withResolvers<void>();
  readonly #ready = Promise.withResolvers<void>();
  readonly #heartbeat: HeartbeatLimits;
  #missedBeats = 0;
  #hasBeaten = false;
  #isHung = false;
  #deviceCount = 0;

  private constructor(fork: () => Worker, heartbeat: HeartbeatLimits) {
    this.#heartbeat = heartbeat;
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
   * Starts the process, which then waits for its configuration: so it can load while other things are made ready. Never
   * throws: a process that cannot be had is one that has ended.
   */
  static fork(number: number, { fork = forkRelay, heartbeat = defaultHeartbeat }: ForkOptions = {}): RelayChild {
    return new RelayChild(() => fork(number), heartbeat);
  }

  get deviceCount(): number {
    return this.#deviceCount;
  }

  /** Resolves when its ports are bound. Rejects with `code` and `port` when one cannot be had, else with RelayExitError. */
  start(config: RelayProcessConfig, logLevel: string): Promise<void> {
    this.#send({ type: 'start', config, logLevel });
    return this.#listening.promise;
  }

  /** Resolves when it knows the routes; rejects when it ends before. */
  whenReady(): Promise<void> {
    return this.#ready.promise;
  }

  /** Lets open requests finish; resolves when the process is gone, by force after a time. */
  async stop(withinMs: number): Promise<void> {
    this.#send({ type: 'stop' });
    const timer = setTimeout(() => this.#worker?.process.kill('SIGKILL'), withinMs);
    await this.exited;
    clearTimeout(timer);
  }

  #watch(worker: Worker): void {
    worker.on('message', (message: FromRelay) => this.#onMessage(message));
    worker.on('error', (error) => {
      if (worker.process.pid !== undefined) return; // of a message to a process that is just ending; see its `exit`
      // It has no `exit`, and node:cluster keeps a worker until that.
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
   * Counted in ticks of this process, not by a clock: after this process has itself stood still (SIGSTOP, a suspended
   * machine) one tick passes before the messages that have come meanwhile are read.
   */
  #countMissedBeat(worker: Worker): void {
    this.#missedBeats++;
    const { maxMissed, maxMissedAtStart } = this.#heartbeat;
    if (this.#missedBeats <= (this.#hasBeaten ? maxMissed : maxMissedAtStart)) return;
    this.#isHung = true;
    worker.process.kill('SIGKILL'); // ends a process that is stopped, too
  }

  #onEnd(exit: RelayExit): void {
    const error = new RelayExitError(exit);
    this.#listening.reject(error);
    this.#ready.reject(error);
    this.#end.resolve(exit);
  }

  #send(message: ToRelay): void {
    if (this.#worker?.process.pid === undefined || !this.#worker.isConnected()) return;
    this.#worker.send(message, () => {}); // it may be ending just now; its end is reported by `exited`
  }

  #onMessage(message: FromRelay): void {
    this.#missedBeats = 0;
    this.#hasBeaten = true;
    switch (message.type) {
      case 'beat':
        return;
      case 'listening':
        return this.#listening.resolve();
      case 'failed': {
        const { code, port } = message;
        return this.#listening.reject(Object.assign(new Error(message.message), { code, port }));
      }
      case 'ready':
        return this.#ready.resolve();
      case 'devices':
        this.#deviceCount = message.count;
    }
  }
}

type ForkOptions = { fork?: ForkRelay | undefined; heartbeat?: HeartbeatLimits | undefined };

function forkRelay(number: number): Worker {
  // Listening sockets are made by this process and shared by the relays, see docs/adr/0011; who takes a visitor is up
  // to the system.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({
    exec: PROGRAM,
    args: [String(number)],
    execArgv: [`--max-semi-space-size=${YOUNG_OBJECTS_MB}`],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // What this process has compiled need not be compiled again.
  return cluster.fork({ NODE_COMPILE_CACHE: getCompileCacheDir() ?? '' });
}
