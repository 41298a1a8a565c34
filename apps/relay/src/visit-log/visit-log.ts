import {
  groundsOf,
  MAX_VISIT_PATH,
  MAX_VISIT_USER_AGENT,
  type UnrecordedVisits,
  type VisitRecord,
} from '@tongtu/contract';
import type { Grant } from '../access/judge-access.ts';
import { fieldValue } from '../codecs/http/fields.ts';
import type { RequestHead } from '../codecs/http/request-head.ts';
import type { RouteEntry } from '../routes/route-entry.ts';
import { OpenVisit, type RawProtocol, type VisitEnd } from './open-visit.ts';
import { VisitBudget } from './visit-budget.ts';

/** The most records that wait for the server: some ten megabytes. */
const MAX_WAITING = 20_000;

export type VisitLogDeps = { monotonicMs: () => number; wallClockMs: () => number };

/** Collects records of visits of the mappings whose owners want them, until they are taken to the server. */
export class VisitLog {
  readonly #deps: VisitLogDeps;
  readonly #budgets = new Map<number, VisitBudget>();
  #waiting: VisitRecord[] = [];

  constructor(deps: VisitLogDeps) {
    this.#deps = deps;
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  /** Undefined: the mapping has no log. The visitor of a denied visit has no grant, only an address. */
  begin(
    entry: RouteEntry,
    visitor: Grant | { address: string },
    what: RequestHead | RawProtocol,
  ): OpenVisit | undefined {
    const { route } = entry;
    if (route.visitLogDays === 0) return undefined;
    const atMs = this.#deps.wallClockMs();
    const grounds = 'proof' in visitor ? groundsOf(entry, visitor, atMs) : { grounds: 'none' as const };
    const start = { mappingId: route.mappingId, address: visitor.address, grounds, what, atMs };
    return new OpenVisit({ ...start, beganMonotonicMs: this.#deps.monotonicMs() }, this.#onEnded);
  }

  /** The oldest records, and the counts of what was not recorded, each within the limit. */
  take(max: number): { records: VisitRecord[]; unrecorded: UnrecordedVisits[] } {
    const records = this.#waiting.slice(0, max);
    this.#waiting = this.#waiting.slice(max);
    for (const { mappingId } of records) {
      const budget = this.#budgets.get(mappingId);
      if (budget !== undefined) budget.waiting--;
    }
    return { records, unrecorded: this.#takeUnrecorded(max) };
  }

  readonly #onEnded = (visit: OpenVisit, end: VisitEnd): void => {
    const { mappingId } = visit.start;
    const monotonicMs = this.#deps.monotonicMs();
    const type = end.outcome === 'denied' ? 'denied' : 'others';
    let budget = this.#budgets.get(mappingId);
    if (budget === undefined) this.#budgets.set(mappingId, (budget = new VisitBudget(monotonicMs)));
    if (this.#waiting.length >= MAX_WAITING || !budget.take(type, monotonicMs)) return budget.skip(type);
    budget.waiting++;
    this.#waiting.push(recordOf(visit, end, monotonicMs));
  };

  #takeUnrecorded(max: number): UnrecordedVisits[] {
    const unrecorded: UnrecordedVisits[] = [];
    const monotonicMs = this.#deps.monotonicMs();
    for (const [mappingId, budget] of this.#budgets) {
      if (unrecorded.length >= max) break;
      const counts = budget.takeUnrecorded();
      if (counts !== undefined) unrecorded.push({ mappingId, ...counts });
      else if (budget.isUnused(monotonicMs)) this.#budgets.delete(mappingId);
    }
    return unrecorded;
  }
}

function recordOf({ start, bytesIn, bytesOut, status }: OpenVisit, end: VisitEnd, monotonicMs: number): VisitRecord {
  const { what } = start;
  const request = typeof what === 'string' ? undefined : what;
  const transport = typeof what === 'string' ? what : '';
  return {
    mappingId: start.mappingId,
    atMs: start.atMs,
    ms: Math.max(0, Math.round(monotonicMs - start.beganMonotonicMs)),
    address: start.address.slice(0, 64),
    ...start.grounds,
    outcome: end.outcome,
    reason: (end.reason ?? '').slice(0, 40),
    method: request?.method ?? transport,
    path: request === undefined ? '' : pathOf(request.target),
    userAgent: request === undefined ? '' : userAgentOf(request),
    status: end.status ?? status ?? null,
    bytesIn,
    bytesOut,
  };
}

/** Without the query, which may contain secrets. */
function pathOf(target: string): string {
  const query = target.indexOf('?');
  return target.slice(0, query === -1 ? MAX_VISIT_PATH : Math.min(query, MAX_VISIT_PATH));
}

/** Fields are read as Latin-1; some programs send UTF-8. */
function userAgentOf({ fields }: RequestHead): string {
  const text = (fieldValue(fields, 'user-agent') ?? '').slice(0, MAX_VISIT_USER_AGENT);
  return Buffer.from(text, 'latin1').toString();
}
