import { setTimeout as delay } from 'node:timers/promises';
import { createBackoff } from '@tongtu/base';
import type { Logger } from 'pino';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts';

/** Keeps the embedded server running: restarts it when it ends unexpectedly, for example for lack of memory. */
export class EmbeddedSupervisor implements AsyncDisposable {
  readonly url: EmbeddedPostgres['url'];
  readonly #dataDir: string;
  readonly #log: Logger;
  readonly #stop = new AbortController();
  #server: EmbeddedPostgres;
  readonly #watching: Promise<void>;

  private constructor(dataDir: string, log: Logger, server: EmbeddedPostgres) {
    this.#dataDir = dataDir;
    this.#log = log;
    this.#server = server;
    this.url = server.url; // derived from the folder, so a restart does not change it
    this.#watching = this.#watch();
  }

  /** Throws StartError. */
  static async start(dataDir: string, log: Logger): Promise<EmbeddedSupervisor> {
    return new EmbeddedSupervisor(dataDir, log, await startServer(dataDir, log));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#server[Symbol.asyncDispose]();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stop;
    const backoff = createBackoff({ firstMs: 200, maxMs: 10_000, random: Math.random });
    let isDown = false;
    while (!signal.aborted) {
      if (!isDown) await this.#server.exited;
      if (signal.aborted) return;
      this.#log.error({ dataDir: this.#dataDir }, 'the embedded database ended unexpectedly and is being restarted');
      await delay(backoff.nextMs(), undefined, { signal }).catch(() => undefined); // aborted: checked below
      if (signal.aborted) return;
      isDown = !(await this.#restart());
      if (!isDown) backoff.reset();
    }
    // Disposed during a restart: nobody else ends that server.
    await this.#server[Symbol.asyncDispose]();
  }

  async #restart(): Promise<boolean> {
    try {
      this.#server = await startServer(this.#dataDir, this.#log);
      return true;
    } catch (err) {
      this.#log.error({ err }, 'the embedded database did not start');
      return false;
    }
  }
}

async function startServer(dataDir: string, log: Logger): Promise<EmbeddedPostgres> {
  return await startEmbeddedPostgres({
    dataDir,
    onLine: (line) => {
      // "Administrator command" is logged for each connection when the server stops on purpose.
      if (/FATAL|PANIC/.test(line) && !line.includes('administrator command')) log.warn({ line }, 'embedded database');
    },
  });
}
