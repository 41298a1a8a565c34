import { setTimeout as wait } from 'node:timers/promises';
import { createBackoff } from '@tongtu/base';
import type { ServerToRelay } from '@tongtu/contract';
import {
  type EdgeCertificateDeps,
  listOpenChallenges,
  listShownCertificates,
  readEdgeCertificates,
  type ShownCertificate,
} from '../../certificates/index.ts';
import { ticketKeysAt } from './ticket-keys.ts';

/** Resolves when the message has left this process, or the connection has ended. */
export type Deliver = (message: ServerToRelay) => Promise<void>;

const BATCH_BYTES = 1024 * 1024;
const BATCH_CERTIFICATES = 500;

/** Sends one relay the state of the TLS edge, one message at a time, so that an older state never follows a newer one. */
export class EdgeSender implements AsyncDisposable {
  readonly #deps: EdgeCertificateDeps;
  readonly #deliver: Deliver;
  /** Versions of the certificates that were sent, by id. */
  readonly #sentVersions = new Map<number, string>();
  readonly #stop = new AbortController();
  readonly #backoff = createBackoff({ firstMs: 100, maxMs: 2_000, random: Math.random });
  #startsOver = true;
  /** The relay may have certificates that are no longer used. */
  #mustSendKept = false;
  #hasChanges = false;
  #leftOut = 0;
  #worker: Promise<void> | undefined;

  constructor(deps: EdgeCertificateDeps, deliver: Deliver) {
    this.#deps = deps;
    this.#deliver = deliver;
  }

  /** Sends the whole state again. */
  sendAll(): void {
    this.#startsOver = true;
    this.sendChanges();
  }

  sendChanges(): void {
    if (this.#stop.signal.aborted) return;
    this.#hasChanges = true;
    this.#worker ??= this.#work();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#worker;
  }

  async #work(): Promise<void> {
    while (this.#hasChanges && !this.#stop.signal.aborted) {
      // Reset before reading: a change that arrives while reading needs another round.
      this.#hasChanges = false;
      try {
        await this.#send();
        this.#backoff.reset();
      } catch (err) {
        this.#deps.log.warn({ err }, 'could not read certificates for a relay, trying again');
        this.#hasChanges = true;
        await wait(this.#backoff.nextMs(), undefined, { signal: this.#stop.signal }).catch(() => undefined); // stopping
      }
    }
    // No await between the last check and this line, so no change is lost.
    this.#worker = undefined;
  }

  async #send(): Promise<void> {
    const { db, sealingKey } = this.#deps;
    if (this.#startsOver) {
      this.#sentVersions.clear();
      this.#mustSendKept = true;
      this.#startsOver = false;
    }
    const edge = { challenges: await listOpenChallenges(db), ticketKeys: ticketKeysAt(sealingKey, Date.now()) };
    await this.#deliver({ type: 'edge', edge });
    await this.#sendCertificates();
  }

  async #sendCertificates(): Promise<void> {
    const { shown, leftOut } = await listShownCertificates(this.#deps.db);
    this.#reportLeftOut(leftOut);
    for (const batch of batchesOf(shown.filter(({ id, version }) => this.#sentVersions.get(id) !== version))) {
      // The change may be an ACME answer, which is urgent. Certificates that were sent are not sent again.
      if (this.#hasChanges || this.#stop.signal.aborted) return;
      const certificates = await readEdgeCertificates(
        this.#deps,
        batch.map(({ id }) => id),
      );
      await this.#deliver({ type: 'certificates', certificates });
      for (const { id, version } of batch) this.#sentVersions.set(id, version);
    }
    const ids = shown.map(({ id }) => id);
    const isShown = new Set(ids);
    for (const id of this.#sentVersions.keys()) {
      if (isShown.has(id)) continue;
      this.#sentVersions.delete(id);
      this.#mustSendKept = true;
    }
    if (!this.#mustSendKept) return;
    await this.#deliver({ type: 'certificates_kept', ids });
    this.#mustSendKept = false;
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
