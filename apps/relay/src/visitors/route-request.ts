import { findVisitorProof } from '../gate/find-visitor-proof.ts';
import { type Denial, judgeAccess } from '../gate/judge-access.ts';
import { answerTicket, type TicketAnswer, type TicketDeps } from '../gate/answer-ticket.ts';
import { VISITOR_COOKIE } from '../gate/visitor-cookie.ts';
import { hasPassed } from '../http1/hop.ts';
import type { RequestHead } from '../http1/request-head.ts';
import type { RelayMarks } from '../http1/write-head.ts';
import type { PageKind } from '../pages/page-texts.ts';
import type { RouteEntry, RouteTable } from '../routes/route-table.ts';
import type { ExchangePlan } from './exchange.ts';
import { reservedPath } from './reserved-path.ts';
import type { UpstreamPool } from './upstream-stream.ts';
import type { VisitorOrigin } from './visitor-origin.ts';

/** What becomes of a request: it goes to a service, or the relay answers itself, now or after asking the server. */
export type Answer =
  | { type: 'forward'; plan: Omit<ExchangePlan, 'bound'> }
  | { type: 'page'; kind: PageKind; offlineSinceMs?: number | undefined }
  | { type: 'later'; response: Promise<TicketAnswer> };

export type RouteDeps = {
  routes: RouteTable;
  isConsoleHost: (host: string) => boolean;
  console: UpstreamPool;
  /** The way to a device, while it is connected. */
  findDevicePool: (entry: RouteEntry) => UpstreamPool | undefined;
  offlineSinceMs: (deviceId: number) => number | undefined;
  tickets: TicketDeps;
  /** This relay's name in the requests it passes on. */
  hopId: string;
  /** Wall clock. */
  nowMs: () => number;
};

const deniedPages: Record<Denial, PageKind> = {
  'needs-verification': 'verify',
  'device-disabled': 'device-disabled',
  'mapping-disabled': 'mapping-disabled',
  'not-open-yet': 'mapping-disabled',
  closed: 'mapping-disabled',
  'outside-hours': 'mapping-disabled',
};

/** Decides one request from memory alone. */
export function routeRequest(deps: RouteDeps, request: RequestHead, visitor: VisitorOrigin): Answer {
  const reserved = reservedPath(request.target);
  // Console names first: no mapping may ever take the console's place.
  if (deps.isConsoleHost(request.host)) {
    if (reserved !== undefined) return { type: 'page', kind: 'no-page' };
    const grant = { address: visitor.address, proof: undefined };
    return { type: 'forward', plan: { ...marksOf(deps), pool: deps.console, grant, isTenant: false } };
  }
  const entry = deps.routes.findRoute(request.host);
  if (entry === undefined) return { type: 'page', kind: deps.routes.isReady ? 'no-mapping' : 'starting' };
  if (isMisdirected(deps.routes, request.host, visitor.serverName)) return { type: 'page', kind: 'misdirected' };
  if (reserved === 'tongtu') return answerTicket(deps.tickets, entry.route, request, visitor);
  return forwardToDevice(deps, entry, request, visitor);
}

function forwardToDevice(deps: RouteDeps, entry: RouteEntry, request: RequestHead, visitor: VisitorOrigin): Answer {
  const { route, owner } = entry;
  if (hasPassed(request.fields, deps.hopId)) return { type: 'page', kind: 'loop' };
  const nowMs = deps.nowMs();
  const proof = () => findVisitorProof(deps.routes.gateKey, route, request.fields, nowMs);
  const judgement = judgeAccess(entry, { address: visitor.address, proof }, nowMs);
  if (!judgement.ok) return { type: 'page', kind: deniedPages[judgement.denial] };
  const pool = deps.findDevicePool(entry);
  if (pool === undefined) {
    return { type: 'page', kind: 'device-offline', offlineSinceMs: deps.offlineSinceMs(owner.device.deviceId) };
  }
  return { type: 'forward', plan: { ...marksOf(deps), pool, grant: judgement.grant, isTenant: true } };
}

function marksOf({ hopId }: RouteDeps): RelayMarks {
  return { visitorCookie: VISITOR_COOKIE, hopId };
}

/** A TLS connection made for one mapping must not carry requests for another one. */
function isMisdirected(routes: RouteTable, host: string, serverName: string | undefined): boolean {
  return serverName !== undefined && serverName !== host && routes.findRoute(serverName) !== undefined;
}
