import { setTimeout as delay } from 'node:timers/promises';
import { createBackoff } from '@tongtu/base';
import type { Logger } from 'pino';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts';

/** The embedded server for as long as the product runs: started again when it ends by itself, e.g. for lack of memory. */
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
    this.url = server.url; // the socket's path follows from the folder, so it stays the same
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
      this.#log.error({ dataDir: this.#dataDir }, 'the embedded database ended by itself and is started again');
      await delay(backoff.nextMs(), undefined, { signal }).catch(() => undefined); // aborted: seen below
      if (signal.aborted) return;
      isDown = !(await this.#startAgain());
      if (!isDown) backoff.reset();
    }
    // Disposed while a start was under way: that server is nobody's.
    await this.#server[Symbol.asyncDispose]();
  }

  async #startAgain(): Promise<boolean> {
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
      // An administrator ends connections only when we stop the server.
      if (/FATAL|PANIC/.test(line) && !line.includes('administrator command')) log.warn({ line }, 'embedded database');
    },
  });
}
