import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { OpenDb } from '../../db/driver.ts';
import { readClock } from '../../db/read-clock.ts';
import { configureAuthorityHttp } from './orders/authority-http.ts';
import {
  claimDueCertificate,
  hasRelayReported,
  replaceCertificatesOfOtherAuthorities,
  secondsUntilDue,
} from './certificate-store.ts';
import { openNameServers } from './dns/name-servers.ts';
import type { PlannedCertificate } from './plan-console-certificates.ts';
import { type IssueDeps, issueCertificate } from './orders/issue-certificate.ts';
import { syncWantedCertificates } from './wanted-store.ts';

export type SchedulerDeps = Omit<IssueDeps, 'nameServers'> & {
  listen: OpenDb['listen'];
  /** The console's certificates. */
  planned: PlannedCertificate[];
  version: string;
};

const MAX_CONCURRENT = 4;
const RELAY_POLL_MS = 1_000;
// Each change of a device wakes the scheduler; the pause combines many changes into one run.
const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;

/** Orders every wanted certificate and renews it before it expires. Several server processes may run one each. */
export class CertificateScheduler implements AsyncDisposable {
  readonly #deps: IssueDeps & Pick<SchedulerDeps, 'planned'>;
  readonly #startedAt: Date;
  readonly #stop = new AbortController();
  #hasRelay = false;
  readonly #running = new Set<Promise<void>>();
  readonly #parts = new AsyncDisposableStack();
  #work: Promise<void> = Promise.resolve();
  #wake = Promise.withResolvers<void>();

  private constructor(deps: SchedulerDeps, startedAt: Date) {
    this.#startedAt = startedAt;
    this.#deps = { ...deps, nameServers: openNameServers(deps.acme.resolvers) };
  }

  static async start(deps: SchedulerDeps): Promise<CertificateScheduler> {
    configureAuthorityHttp(`tongtu/${deps.version}`);
    await replaceCertificatesOfOtherAuthorities(deps.db, deps.acme.directoryUrl);
    const scheduler = new CertificateScheduler(deps, await readClock(deps.db));
    const wake = () => scheduler.#wake.resolve();
    scheduler.#parts.use(await deps.listen('device_changed', wake, wake));
    scheduler.#work = scheduler.#run();
    return scheduler;
  }

  /** Stops. The next start continues orders that are open. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#work;
    await Promise.all(this.#running);
    await this.#parts.disposeAsync();
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      let pauseMs = MAX_PAUSE_MS;
      this.#wake = Promise.withResolvers();
      try {
        pauseMs = await this.#startDueOrders();
      } catch (err) {
        this.#deps.log.warn({ err }, 'could not check for certificates to order');
      }
      await this.#pause(MIN_PAUSE_MS, []);
      await this.#pause(pauseMs - MIN_PAUSE_MS, [this.#wake.promise]);
    }
  }

  /** Starts the due orders. Resolves with the time until the next one is due. */
  async #startDueOrders(): Promise<number> {
    const { db, planned } = this.#deps;
    await syncWantedCertificates(db, planned);
    // Only a relay can answer the authority. A relay row of an earlier start may be stale, so wait for a new heartbeat.
    this.#hasRelay ||= await hasRelayReported(db, this.#startedAt);
    if (!this.#hasRelay) return RELAY_POLL_MS;
    while (this.#running.size < MAX_CONCURRENT && !this.#stop.signal.aborted) {
      const claim = randomUUID();
      const certificate = await claimDueCertificate(db, claim);
      if (certificate === undefined) break;
      this.#track(issueCertificate(this.#deps, certificate, claim, this.#stop.signal));
    }
    if (this.#running.size === MAX_CONCURRENT) return MAX_PAUSE_MS; // the end of an order wakes the loop
    const seconds = await secondsUntilDue(db);
    return Math.min(Math.max((seconds ?? Infinity) * 1000, 0), MAX_PAUSE_MS);
  }

  #track(work: Promise<void>): void {
    const task = work
      .catch((err: unknown) => this.#deps.log.warn({ err }, 'could not save the result of a certificate order'))
      .finally(() => {
        this.#running.delete(task);
        this.#wake.resolve();
      });
    this.#running.add(task);
  }

  async #pause(ms: number, until: Promise<void>[]): Promise<void> {
    if (ms <= 0) return;
    const over = new AbortController();
    const signal = AbortSignal.any([this.#stop.signal, over.signal]);
    const timer = wait(ms, undefined, { signal }).catch(() => undefined); // aborted by a wake-up or a stop
    await Promise.race([timer, ...until]);
    over.abort();
  }
}
