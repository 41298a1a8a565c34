import { setTimeout as wait } from 'node:timers/promises';
import { createBackoff } from '@tongtu/base';
import type { ServerToRelay } from '@tongtu/contract';
import {
  type EdgeCertificateDeps,
  listOpenChallenges,
  listShownCertificates,
  readEdgeCertificates,
  type ShownCertificate,
} from '../certificates/index.ts';
import { ticketKeysAt } from './ticket-keys.ts';

/** Resolves when the message has left this process, or never will. */
export type Deliver = (message: ServerToRelay) => Promise<void>;

const BATCH_BYTES = 1024 * 1024;
const BATCH_CERTIFICATES = 500;

/** What one relay is told of the TLS edge: one message at a time, so that nothing older comes after something newer. */
export class EdgeLine implements AsyncDisposable {
  readonly #deps: EdgeCertificateDeps;
  readonly #deliver: Deliver;
  /** The versions of the certificates that it was told. */
  readonly #told = new Map<number, string>();
  readonly #stop = new AbortController();
  readonly #backoff = createBackoff({ firstMs: 100, maxMs: 2_000, random: Math.random });
  #isNew = true;
  /** It may have certificates that are not shown any more. */
  #owesKept = false;
  #isStale = false;
  #leftOut = 0;
  #worker: Promise<void> | undefined;

  constructor(deps: EdgeCertificateDeps, deliver: Deliver) {
    this.#deps = deps;
    this.#deliver = deliver;
  }

  /** The relay asks for everything anew. */
  tellAll(): void {
    this.#isNew = true;
    this.tellChanges();
  }

  tellChanges(): void {
    if (this.#stop.signal.aborted) return;
    this.#isStale = true;
    this.#worker ??= this.#work();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#worker;
  }

  async #work(): Promise<void> {
    while (this.#isStale && !this.#stop.signal.aborted) {
      // Lowered before reading: a change that comes meanwhile asks for a newer state than this one.
      this.#isStale = false;
      try {
        await this.#tell();
        this.#backoff.reset();
      } catch (err) {
        this.#deps.log.warn({ err }, 'could not read certificates for a relay, trying again');
        this.#isStale = true;
        await wait(this.#backoff.nextMs(), undefined, { signal: this.#stop.signal }).catch(() => undefined); // stopping
      }
    }
    // In the same turn as the last look for work, so that no wake-up falls between.
    this.#worker = undefined;
  }

  async #tell(): Promise<void> {
    const { db, sealingKey } = this.#deps;
    if (this.#isNew) {
      this.#told.clear();
      this.#owesKept = true;
      this.#isNew = false;
    }
    const edge = { challenges: await listOpenChallenges(db), ticketKeys: ticketKeysAt(sealingKey, Date.now()) };
    await this.#deliver({ type: 'edge', edge });
    await this.#tellCertificates();
  }

  async #tellCertificates(): Promise<void> {
    const { shown, leftOut } = await listShownCertificates(this.#deps.db);
    this.#reportLeftOut(leftOut);
    for (const batch of batchesOf(shown.filter(({ id, version }) => this.#told.get(id) !== version))) {
      // What changed meanwhile may be an answer that the authority is about to ask for. What was told stays told.
      if (this.#isStale || this.#stop.signal.aborted) return;
      const certificates = await readEdgeCertificates(
        this.#deps,
        batch.map(({ id }) => id),
      );
      await this.#deliver({ type: 'certificates', certificates });
      for (const { id, version } of batch) this.#told.set(id, version);
    }
    const ids = shown.map(({ id }) => id);
    const isShown = new Set(ids);
    for (const id of this.#told.keys()) {
      if (isShown.has(id)) continue;
      this.#told.delete(id);
      this.#owesKept = true;
    }
    if (!this.#owesKept) return;
    await this.#deliver({ type: 'certificates_kept', ids });
    this.#owesKept = false;
  }

  #reportLeftOut(leftOut: number): void {
    if (leftOut > this.#leftOut) this.#deps.log.warn({ leftOut }, 'more certificates than are sent to relays');
    this.#leftOut = leftOut;
  }
}

function batchesOf(certificates: ShownCertificate[]): ShownCertificate[][] {
  const batches: ShownCertificate[][] = [];
  let bytes = 0;
  for (const certificate of certificates) {
    const last = batches.at(-1);
    bytes += certificate.bytes;
    if (last === undefined || bytes > BATCH_BYTES || last.length === BATCH_CERTIFICATES) {
      batches.push([certificate]);
      bytes = certificate.bytes;
    } else last.push(certificate);
  }
  return batches;
}
