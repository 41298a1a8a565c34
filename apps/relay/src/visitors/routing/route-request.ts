import type { Denial, Route } from '@tongtu/contract';
import { findVisitorProof } from '../../access/find-visitor-proof.ts';
import { judgeAccess } from '../../access/judge-access.ts';
import { answerDomainCheck } from './answer-domain-check.ts';
import { answerTicket, MAX_USER_AGENT_LENGTH, type TicketAnswer, type TicketDeps } from './answer-ticket.ts';
import { type DevicePlanDeps, planForDevice } from './device-plan.ts';
import { enterAtConsole } from './enter-at-console.ts';
import type { ClientMarker } from '../../access/client-marker.ts';
import { mayBeMarked } from '../../access/may-be-marked.ts';
import { isFromOtherSite, isPortLost, isUnnamedFrame } from '../../access/other-site.ts';
import { isOwnersMapping, isOwnersPage, ownersOrigins } from '../../access/owners-pages.ts';
import { ownersOrigin, ownersPreflight } from '../../access/owners-preflight.ts';
import type { PreflightLimit } from '../../access/preflight-limit.ts';
import { fieldValue } from '../../codecs/http/fields.ts';
import { hasPassed } from '../../codecs/http/hop.ts';
import { forwardsLeft } from '../../codecs/http/max-forwards.ts';
import type { RequestHead } from '../../codecs/http/request-head.ts';
import type { AnswerRules } from '../../codecs/http/response-fields.ts';
import { chineseTime, openingFacts } from '../../pages/opening-facts.ts';
import type { LocalResponse } from '../../codecs/http/local-response.ts';
import type { PageContext, PageFacts } from '../../pages/page-answer.ts';
import type { PageKind } from '../../pages/page-texts.ts';
import type { RouteEntry } from '../../routes/route-entry.ts';
import type { OpenVisit, VisitEnd } from '../../visit-log/open-visit.ts';
import type { VisitLog } from '../../visit-log/visit-log.ts';
import type { RouteTable } from '../../routes/route-table.ts';
import type { ExchangePlan } from '../exchange/exchange.ts';
import { reservedPath } from './reserved-path.ts';
import type { UpstreamPool } from '../../upstream/upstream-stream.ts';
import type { VisitorOrigin } from './visitor-origin.ts';

/** The visit that an answer of the relay itself ends. */
type EndedVisit = { visit: OpenVisit; end: Pick<VisitEnd, 'outcome' | 'reason'> };

/** A local response, or the page to make it from. */
export type RelayAnswer = { ended?: EndedVisit | undefined } & (
  | ({ type: 'page'; kind: PageKind } & Pick<PageContext, 'facts' | 'framedBy' | 'readableBy'>)
  | { type: 'local'; answer: LocalResponse }
);

/** The decision about a request: it goes to a service, or gets a local response, at once or after asking the server. */
export type Answer =
  | { type: 'forward'; plan: ExchangePlan }
  | RelayAnswer
  | { type: 'later'; response: Promise<TicketAnswer> }
  /** Only the service's decision is shown; `leave` is called once it is known. */
  | { type: 'preflight'; request: RequestHead; plan: ExchangePlan; leave: () => void; otherwise: RelayAnswer }
  /** Routed again if its visitor was marked meanwhile. */
  | { type: 'held'; isLetIn: Promise<boolean>; otherwise: RelayAnswer };

export type RouteDeps = DevicePlanDeps & {
  isConsoleHost: (host: string) => boolean;
  /** The relay's ports for http and https. */
  webPorts: () => readonly number[];
  console: UpstreamPool;
  /** Speaks the protocols of cloud apps. */
  gateway: UpstreamPool | undefined;
  /** The pool of a connected device. */
  findDevicePool: (entry: RouteEntry) => UpstreamPool | undefined;
  offlineSinceMs: (deviceId: number) => number | undefined;
  tickets: TicketDeps;
  marker: ClientMarker;
  preflights: PreflightLimit;
  visitLog: VisitLog;
  wallClockMs: () => number;
};

const deniedPages: Record<Exclude<Denial, 'needs-verification'>, PageKind> = {
  'other-site': 'other-site',
  'closed-by-owner': 'closed-by-owner',
  'device-disabled': 'device-disabled',
  'mapping-disabled': 'mapping-disabled',
  'plan-ended': 'plan-ended',
  'over-plan-limit': 'over-plan-limit',
  'not-open-yet': 'not-open-yet',
  closed: 'closed',
  'outside-hours': 'outside-hours',
};

const portLostFacts: PageFacts = [
  ['可能的原因', '前面的反向代理没有在 Host 里转发端口。nginx 请设置 proxy_set_header Host $http_host;'],
];
const consoleRules: AnswerRules = { reservedCookies: undefined, origins: undefined };

/** The answer to a request with Max-Forwards: 0. */
const lastHop: LocalResponse = { status: 200, fields: [['Cache-Control', 'no-store']], body: Buffer.alloc(0) };

/** Decides one request from memory alone. */
export function routeRequest(deps: RouteDeps, request: RequestHead, visitor: VisitorOrigin): Answer {
  if (forwardsLeft(request) === 0) return { type: 'local', answer: lastHop };
  const reserved = reservedPath(request.target);
  // Console names first: no mapping may ever take the console's place.
  if (deps.isConsoleHost(request.host)) {
    if (reserved !== undefined) return { type: 'page', kind: 'no-page' };
    const grant = { address: visitor.address, proof: undefined };
    const { marks } = deps;
    const pool = isForGateway(request) ? (deps.gateway ?? deps.console) : deps.console;
    // Files go through the gateway, for as long as they take.
    const isBodyTimed = pool === deps.console;
    const forwarded = {
      origin: { scheme: visitor.scheme, authority: request.hostField },
      visitorFields: 'send',
    } as const;
    return {
      type: 'forward',
      plan: { marks, rules: consoleRules, forwarded, pool, grant, isTenant: false, isBodyTimed },
    };
  }
  const entry = deps.routes.findRoute(request.host);
  if (entry === undefined) return { type: 'page', kind: deps.routes.isReady ? 'no-mapping' : 'starting' };
  if (isMisdirected(deps.routes, request.host, visitor.serverName)) return { type: 'page', kind: 'misdirected' };
  // A service with TRACE returns the request, including cookies and the relay's fields.
  if (request.method === 'TRACE') return { type: 'page', kind: 'method-not-allowed' };
  if (reserved === 'tongtu')
    return (
      answerDomainCheck(deps.routes.gateKey, entry.route, request) ??
      answerTicket(deps.tickets, entry.route, request, visitor)
    );
  return forwardToDevice(deps, entry, request, visitor);
}

function forwardToDevice(deps: RouteDeps, entry: RouteEntry, request: RequestHead, visitor: VisitorOrigin): Answer {
  const { route, owner } = entry;
  if (hasPassed(request.fields, deps.marks.hopId)) return { type: 'page', kind: 'loop' };
  const wallClockMs = deps.wallClockMs();
  const { scheme } = visitor;
  const judgement = judgeAccess(
    entry,
    {
      address: visitor.address,
      proof: () => findVisitorProof(deps.routes.gateKey, route, { fields: request.fields, scheme }, wallClockMs),
      isFromOtherSite: () => isFromOtherSite(request, (page) => isOwnersPage(deps, entry, { request, scheme }, page)),
    },
    wallClockMs,
  );
  if (!judgement.ok) {
    const { denial } = judgement;
    return (
      (denial === 'needs-verification' ? askService(deps, entry, request, visitor) : undefined) ??
      turnAway(deps, entry, request, { visitor, denial })
    );
  }
  const pool = deps.findDevicePool(entry);
  if (pool === undefined) {
    const sinceMs = deps.offlineSinceMs(owner.device.deviceId);
    const facts: PageFacts | undefined = sinceMs === undefined ? undefined : [['离线时间', chineseTime(sinceMs)]];
    const ended = endedVisit(deps, { entry, request, visitor }, { outcome: 'failed', reason: 'device-offline' });
    return { type: 'page', kind: 'device-offline', facts, ended, readableBy: readerOf(deps, entry, request, visitor) };
  }
  const { grant } = judgement;
  const plan = planForDevice(deps, entry, { request, visitor, pool });
  if (typeof plan === 'string') {
    const outcome = plan === 'no-service-here' ? 'failed' : 'denied';
    const ended = endedVisit(deps, { entry, request, visitor }, { outcome, reason: plan });
    return { type: 'page', kind: plan, ended };
  }
  const visit = deps.visitLog.begin(entry, grant, request);
  return { type: 'forward', plan: { ...plan, grant, visit } };
}

/** Lets a preflight of an owner's page in, which no visitor can prove themselves with. It is no visit. */
function askService(
  deps: RouteDeps,
  entry: RouteEntry,
  asked: RequestHead,
  visitor: VisitorOrigin,
): Extract<Answer, { type: 'preflight' }> | undefined {
  const { scheme, address } = visitor;
  const request = ownersPreflight(asked, (page) => isOwnersMapping(deps, entry, { request: asked, scheme }, page));
  const pool = deps.findDevicePool(entry);
  if (request === undefined || pool === undefined) return undefined;
  const toDevice = planForDevice(deps, entry, { request, visitor, pool });
  if (typeof toDevice === 'string') return undefined;
  const leave = deps.preflights.enter(entry.route.mappingId, address);
  if (leave === undefined) return undefined;
  const plan = { ...toDevice, grant: { address, proof: undefined, isOwnersPreflight: true } };
  const otherwise = { type: 'page', kind: verificationPage(entry.route) } as const;
  return { type: 'preflight', request, plan, leave, otherwise };
}

function turnAway(
  deps: RouteDeps,
  entry: RouteEntry,
  request: RequestHead,
  { visitor, denial }: { visitor: VisitorOrigin; denial: Denial },
): Answer {
  const { route } = entry;
  const ended = endedVisit(deps, { entry, request, visitor }, { outcome: 'denied', reason: denial });
  const readableBy = readerOf(deps, entry, request, visitor);
  if (denial === 'other-site' && isPortLost(request))
    return { type: 'page', kind: 'other-site', facts: portLostFacts, ended };
  if (denial === 'other-site' && isUnnamedFrame(request)) {
    const framedBy = ownersOrigins(deps, entry, { request, scheme: visitor.scheme });
    return { type: 'page', kind: 'other-site', framedBy, ended };
  }
  if (denial !== 'needs-verification')
    return { type: 'page', kind: deniedPages[denial], facts: openingFacts(route, denial), ended, readableBy };
  const { scheme } = visitor;
  const redirect = enterAtConsole(request, { scheme, consoleUrl: deps.routes.consoleUrl });
  const refusal: RelayAnswer =
    redirect === undefined
      ? { type: 'page', kind: verificationPage(route), ended, readableBy }
      : { type: 'local', answer: redirect, ended };
  const userAgent = (fieldValue(request.fields, 'user-agent') ?? '').slice(0, MAX_USER_AGENT_LENGTH);
  const isLetIn = mayBeMarked(request) ? deps.marker.ask(route, { address: visitor.address, userAgent }) : undefined;
  return isLetIn === undefined ? refusal : { type: 'held', isLetIn, otherwise: refusal };
}

function verificationPage({ policy }: Route): PageKind {
  return policy === 'password' ? 'password' : 'verify';
}

/** The origin of the owner's page whose script may read why its request was refused. */
function readerOf(
  deps: RouteDeps,
  entry: RouteEntry,
  request: RequestHead,
  { scheme }: VisitorOrigin,
): string | undefined {
  return ownersOrigin(request.fields, (page) => isOwnersMapping(deps, entry, { request, scheme }, page));
}

function endedVisit(
  { visitLog }: RouteDeps,
  { entry, request, visitor }: { entry: RouteEntry; request: RequestHead; visitor: VisitorOrigin },
  end: EndedVisit['end'],
): EndedVisit | undefined {
  const visit = visitLog.begin(entry, { address: visitor.address }, request);
  return visit && { visit, end };
}

/** Sessions of cloud apps have their paths below `/apps/` at the console. */
function isForGateway({ target }: RequestHead): boolean {
  return target.startsWith('/apps/');
}

/** A TLS connection made for one mapping must not carry requests for another one. */
function isMisdirected(routes: RouteTable, host: string, serverName: string | undefined): boolean {
  return serverName !== undefined && serverName !== host && routes.findRoute(serverName) !== undefined;
}
