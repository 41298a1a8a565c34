import cluster, { type Worker } from 'node:cluster';
import { getCompileCacheDir } from 'node:module';
import path from 'node:path';
import type { FromRelay, RelayProcessConfig, ToRelay } from './relay-messages.ts';

const PROGRAM = path.join(import.meta.dirname, 'relay-process.ts');
/** By itself V8 lets young objects take 128 MB when thousands of devices come at once, and never gives it back. */
const YOUNG_OBJECTS_MB = 16;

export type RelayExit = { code: number | null; signal: NodeJS.Signals | null };

/** A relay in a process of its own, from its start to its end. */
export class RelayChild {
  readonly exited: Promise<RelayExit>;
  readonly #worker: Worker;
  readonly #listening = Promise.withResolvers<void>();
  readonly #ready = Promise.withResolvers<void>();
  #deviceCount = 0;

  private constructor(worker: Worker) {
    this.#worker = worker;
    for (const { promise } of [this.#listening, this.#ready]) promise.catch(() => {}); // nobody has to wait
    worker.on('message', (message: FromRelay) => this.#onMessage(message));
    // Of a message to a process that is just ending; its end is told by `exited`.
    worker.on('error', () => {});
    this.exited = new Promise((resolve) => {
      worker.process.once('exit', (code, signal) => {
        const error = new Error(`a relay process ended (code ${code}, signal ${signal})`);
        this.#listening.reject(error);
        this.#ready.reject(error);
        resolve({ code, signal });
      });
    });
  }

  /** Starts the process, which then waits for its configuration: so it can load while other things are made ready. */
  static fork(number: number): RelayChild {
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
    return new RelayChild(cluster.fork({ NODE_COMPILE_CACHE: getCompileCacheDir() ?? '' }));
  }

  get deviceCount(): number {
    return this.#deviceCount;
  }

  /** Resolves when its ports are bound. Rejects with `code` and `port` when one cannot be had. */
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
    const timer = setTimeout(() => this.#worker.process.kill('SIGKILL'), withinMs);
    await this.exited;
    clearTimeout(timer);
  }

  #send(message: ToRelay): void {
    if (this.#worker.isConnected()) this.#worker.send(message);
  }

  #onMessage(message: FromRelay): void {
    switch (message.type) {
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
