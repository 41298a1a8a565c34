import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { OpenDb } from '../../db/driver.ts';
import { readClock } from '../../db/read-clock.ts';
import { prepareAuthorityHttp } from './orders/authority-http.ts';
import { claimDue, hasRelayBeenHeard, replaceThoseOfOthers, secondsUntilDue } from './certificate-store.ts';
import { openNameServers } from './dns/name-servers.ts';
import type { PlannedCertificate } from './plan-console-certificates.ts';
import { type TryDeps, tryCertificate } from './orders/try-certificate.ts';
import { syncWanted } from './wanted-store.ts';

export type KeeperDeps = Omit<TryDeps, 'nameServers'> & {
  listen: OpenDb['listen'];
  /** What to have for the console. */
  planned: PlannedCertificate[];
  version: string;
};

const MAX_AT_ONCE = 4;
const RELAY_POLL_MS = 1_000;
// Every change of a device is a reason to look; many of them are one.
const LEAST_PAUSE_MS = 500;
const MOST_PAUSE_MS = 60_000;

/** Has every certificate that is wanted, before the one there is has ended. Any number of server processes may do so at once. */
export class CertificateKeeper implements AsyncDisposable {
  readonly #deps: TryDeps & Pick<KeeperDeps, 'planned'>;
  readonly #startedAt: Date;
  readonly #stop = new AbortController();
  #hasRelay = false;
  readonly #tries = new Set<Promise<void>>();
  readonly #parts = new AsyncDisposableStack();
  #work: Promise<void> = Promise.resolve();
  #wake = Promise.withResolvers<void>();

  private constructor(deps: KeeperDeps, startedAt: Date) {
    this.#startedAt = startedAt;
    this.#deps = { ...deps, nameServers: openNameServers(deps.acme.resolvers) };
  }

  static async start(deps: KeeperDeps): Promise<CertificateKeeper> {
    prepareAuthorityHttp(`tongtu/${deps.version}`);
    await replaceThoseOfOthers(deps.db, deps.acme.directoryUrl);
    const keeper = new CertificateKeeper(deps, await readClock(deps.db));
    const wake = () => keeper.#wake.resolve();
    keeper.#parts.use(await deps.listen('device_changed', wake, wake));
    keeper.#work = keeper.#run();
    return keeper;
  }

  /** Orders that are under way are left to the next start. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#work;
    await Promise.all(this.#tries);
    await this.#parts.disposeAsync();
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      let pauseMs = MOST_PAUSE_MS;
      this.#wake = Promise.withResolvers();
      try {
        pauseMs = await this.#look();
      } catch (err) {
        this.#deps.log.warn({ err }, 'could not look for certificates to order');
      }
      await this.#pause(LEAST_PAUSE_MS, []);
      await this.#pause(pauseMs - LEAST_PAUSE_MS, [this.#wake.promise]);
    }
  }

  /** Begins with what is due. Resolves with the time until something will be. */
  async #look(): Promise<number> {
    const { db, planned } = this.#deps;
    await syncWanted(db, planned);
    // Who would answer the authority? A relay of an earlier start may be gone, and a first one takes a moment.
    this.#hasRelay ||= await hasRelayBeenHeard(db, this.#startedAt);
    if (!this.#hasRelay) return RELAY_POLL_MS;
    while (this.#tries.size < MAX_AT_ONCE && !this.#stop.signal.aborted) {
      const claim = randomUUID();
      const certificate = await claimDue(db, claim);
      if (certificate === undefined) break;
      this.#begin(tryCertificate(this.#deps, certificate, claim, this.#stop.signal));
    }
    if (this.#tries.size === MAX_AT_ONCE) return MOST_PAUSE_MS; // the end of any of them wakes us
    const seconds = await secondsUntilDue(db);
    return Math.min(Math.max((seconds ?? Infinity) * 1000, 0), MOST_PAUSE_MS);
  }

  #begin(work: Promise<void>): void {
    const task = work
      .catch((err: unknown) => this.#deps.log.warn({ err }, 'could not write down what came of an order'))
      .finally(() => {
        this.#tries.delete(task);
        this.#wake.resolve();
      });
    this.#tries.add(task);
  }

  async #pause(ms: number, until: Promise<void>[]): Promise<void> {
    if (ms <= 0) return;
    const over = new AbortController();
    const signal = AbortSignal.any([this.#stop.signal, over.signal]);
    const timer = wait(ms, undefined, { signal }).catch(() => undefined); // over, or the process stops
    await Promise.race([timer, ...until]);
    over.abort();
  }
}
