import type { VisitGrounds, VisitOutcome } from '@tongtu/contract';
import type { RequestHead } from '../codecs/http/request-head.ts';

/** A protocol without requests that the relay could read. */
export type RawProtocol = 'TLS' | 'TCP' | 'UDP';

export type VisitStart = {
  mappingId: number;
  address: string;
  grounds: VisitGrounds;
  what: RequestHead | RawProtocol;
  atMs: number;
  beganMonotonicMs: number;
};

export type VisitEnd = {
  outcome: VisitOutcome;
  /** Why it was denied or failed. */
  reason?: string;
  /** Of an answer that the relay wrote itself. */
  status?: number | undefined;
};

/** A visit in progress. It counts, and does nothing else before its end. */
export class OpenVisit {
  readonly start: VisitStart;
  readonly #onEnded: (visit: OpenVisit, end: VisitEnd) => void;
  bytesIn = 0;
  bytesOut = 0;
  /** Of the service's answer. */
  status: number | undefined;
  #hasEnded = false;

  constructor(start: VisitStart, onEnded: (visit: OpenVisit, end: VisitEnd) => void) {
    this.start = start;
    this.#onEnded = onEnded;
  }

  /** Only the first call counts. */
  end(end: VisitEnd): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#onEnded(this, end);
  }
}
