import type { Denial, Route } from '@tongtu/contract';
import type { HttpTarget } from '@tongtu/tunnel';
import { findVisitorProof } from '../../access/find-visitor-proof.ts';
import { judgeAccess } from '../../access/judge-access.ts';
import type { WrongTries } from '../../access/wrong-tries.ts';
import { answerDomainCheck } from './answer-domain-check.ts';
import { answerTicket, MAX_USER_AGENT_LENGTH, type TicketAnswer, type TicketDeps } from './answer-ticket.ts';
import { type ChosenTarget, chooseTarget, hasLogin } from './choose-target.ts';
import { enterAtConsole } from './enter-at-console.ts';
import type { ClientMarker } from '../../access/client-marker.ts';
import { mayBeMarked } from '../../access/may-be-marked.ts';
import { isFromOtherSite, isUnnamedFrame } from '../../access/other-site.ts';
import { isOwnersPage, ownersOrigins } from '../../access/owners-pages.ts';
import { visitorCookieNames } from '../../access/visitor-cookie.ts';
import { fieldValue } from '../../codecs/http/fields.ts';
import { hasPassed } from '../../codecs/http/hop.ts';
import { forwardsLeft } from '../../codecs/http/max-forwards.ts';
import { type Origin, OriginRewrite } from '../../codecs/http/origin-rewrite.ts';
import type { RequestHead } from '../../codecs/http/request-head.ts';
import type { AnswerRules } from '../../codecs/http/response-fields.ts';
import type { RelayMarks } from '../../codecs/http1/write-head.ts';
import { chineseTime, openingFacts } from '../../pages/opening-facts.ts';
import type { LocalResponse } from '../../codecs/http/local-response.ts';
import type { PageFacts } from '../../pages/page-answer.ts';
import type { PageKind } from '../../pages/page-texts.ts';
import { mayNameCookieDomain } from '../../routes/may-name-cookie-domain.ts';
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
  | { type: 'page'; kind: PageKind; facts?: PageFacts | undefined; framedBy?: readonly string[] | undefined }
  | { type: 'local'; answer: LocalResponse }
);

/** The decision about a request: it goes to a service, or gets a local response, at once or after asking the server. */
export type Answer =
  | { type: 'forward'; plan: ExchangePlan }
  | RelayAnswer
  | { type: 'later'; response: Promise<TicketAnswer> }
  /** Routed again if its visitor was marked meanwhile. */
  | { type: 'held'; isLetIn: Promise<boolean>; otherwise: RelayAnswer };

export type RouteDeps = {
  routes: RouteTable;
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
  wrongPasswords: WrongTries;
  /** See `chooseTarget`. */
  nextTurn: (first: HttpTarget) => number;
  marks: RelayMarks;
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

/** Not 80, which http does not name. */
const EXPLICIT_PORT = /:(?!80$)\d+$/;
const consoleRules: AnswerRules = { reservedCookies: undefined, origins: undefined };
const deviceRules: AnswerRules = { reservedCookies: visitorCookieNames, origins: undefined };

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
    return { type: 'forward', plan: { marks, rules: consoleRules, pool, grant, isTenant: false, isBodyTimed } };
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
  if (!judgement.ok) return turnAway(deps, entry, request, { visitor, denial: judgement.denial });
  const pool = deps.findDevicePool(entry);
  if (pool === undefined) {
    const sinceMs = deps.offlineSinceMs(owner.device.deviceId);
    const facts: PageFacts | undefined = sinceMs === undefined ? undefined : [['离线时间', chineseTime(sinceMs)]];
    const ended = endedVisit(deps, { entry, request, visitor }, { outcome: 'failed', reason: 'device-offline' });
    return { type: 'page', kind: 'device-offline', facts, ended };
  }
  const { grant } = judgement;
  const target = targetOf(deps, entry, { request, visitor, pool });
  if (typeof target === 'string') {
    const outcome = target === 'no-service-here' ? 'failed' : 'denied';
    const ended = endedVisit(deps, { entry, request, visitor }, { outcome, reason: target });
    return { type: 'page', kind: target, ended };
  }
  const visit = deps.visitLog.begin(entry, grant, request);
  return {
    type: 'forward',
    plan: {
      marks: deps.marks,
      rules: rulesFor(deps.routes, entry, { request, visitor, target }),
      pool,
      grant,
      isTenant: true,
      visit,
      way: { targetKey: target?.key, origin: visitor.connection },
      ...(target && { setFields: { request: target.requestFields, answer: target.responseFields } }),
    },
  };
}

/** The target by the rules of the mapping, undefined for that of its route; or the page for a visitor who gets none. */
function targetOf(
  { wrongPasswords, nextTurn }: RouteDeps,
  { route }: RouteEntry,
  { request, visitor, pool }: { request: RequestHead; visitor: VisitorOrigin; pool: UpstreamPool },
): HttpTarget | PageKind | undefined {
  if (pool.httpRules === undefined) return undefined;
  const { mappingId } = route;
  const { address, scheme } = visitor;
  if (wrongPasswords.isExhausted(mappingId, address) && hasLogin(request)) return 'too-many-passwords';
  const chosen: ChosenTarget = chooseTarget(pool.httpRules, { request, scheme }, nextTurn);
  if (chosen.type === 'target') return chosen.target;
  if (chosen.type === 'none') return 'no-service-here';
  if (chosen.isWrong) wrongPasswords.note(mappingId, address);
  return 'service-login';
}

function turnAway(
  deps: RouteDeps,
  entry: RouteEntry,
  request: RequestHead,
  { visitor, denial }: { visitor: VisitorOrigin; denial: Denial },
): Answer {
  const { route } = entry;
  const ended = endedVisit(deps, { entry, request, visitor }, { outcome: 'denied', reason: denial });
  if (denial === 'other-site' && isUnnamedFrame(request)) {
    const framedBy = ownersOrigins(deps, entry, { request, scheme: visitor.scheme });
    return { type: 'page', kind: 'other-site', framedBy, ended };
  }
  if (denial !== 'needs-verification')
    return { type: 'page', kind: deniedPages[denial], facts: openingFacts(route, denial), ended };
  const { scheme } = visitor;
  const redirect = enterAtConsole(request, { scheme, consoleUrl: deps.routes.consoleUrl });
  const refusal: RelayAnswer =
    redirect === undefined
      ? { type: 'page', kind: route.policy === 'password' ? 'password' : 'verify', ended }
      : { type: 'local', answer: redirect, ended };
  const userAgent = (fieldValue(request.fields, 'user-agent') ?? '').slice(0, MAX_USER_AGENT_LENGTH);
  const isLetIn = mayBeMarked(request) ? deps.marker.ask(route, { address: visitor.address, userAgent }) : undefined;
  return isLetIn === undefined ? refusal : { type: 'held', isLetIn, otherwise: refusal };
}

function endedVisit(
  { visitLog }: RouteDeps,
  { entry, request, visitor }: { entry: RouteEntry; request: RequestHead; visitor: VisitorOrigin },
  end: EndedVisit['end'],
): EndedVisit | undefined {
  const visit = visitLog.begin(entry, { address: visitor.address }, request);
  return visit && { visit, end };
}

function rulesFor(
  routes: RouteTable,
  entry: RouteEntry,
  { request, visitor, target }: { request: RequestHead; visitor: VisitorOrigin; target: HttpTarget | undefined },
): AnswerRules {
  const { route } = entry;
  const shownToService = target === undefined ? originOf(route) : originOfTarget(target);
  const shown: Origin = { scheme: visitor.scheme, authority: request.hostField };
  const securedOrigin = shownToService === undefined && usesTlsPort(shown) ? securing(shown) : undefined;
  if (shownToService === undefined && securedOrigin === undefined && !route.isOwnDomain) return deviceRules;
  return {
    reservedCookies: visitorCookieNames,
    mayNameCookieDomain: (domain) =>
      mayNameCookieDomain(entry, domain, { host: request.host, consoleHost: routes.consoleHost }),
    origins: shownToService && new OriginRewrite(shown, shownToService),
    securedOrigin,
  };
}

/** Whether http cannot be at the same port, because https is. */
function usesTlsPort({ scheme, authority }: Origin): boolean {
  return scheme === 'https' && EXPLICIT_PORT.test(authority);
}

/** Services that do not know of TLS lead to http at their Host, whose port speaks only TLS. */
function securing(shown: Origin): OriginRewrite {
  return new OriginRewrite(shown, { ...shown, scheme: 'http' });
}

/** Undefined: the service sees the public name. */
function originOf({ hostHeader, kind, targetHost, targetPort }: Route): Origin | undefined {
  if (hostHeader === 'keep') return undefined;
  const scheme = kind === 'https' ? 'https' : 'http';
  const host = targetHost.includes(':') ? `[${targetHost}]` : targetHost;
  const isDefaultPort = targetPort === (scheme === 'https' ? 443 : 80);
  return { scheme, authority: isDefaultPort ? host : `${host}:${targetPort}` };
}

function originOfTarget({ hostField }: HttpTarget): Origin | undefined {
  return hostField === '' ? undefined : { scheme: 'http', authority: hostField };
}

/** Sessions of cloud apps have their paths below `/apps/` at the console. */
function isForGateway({ target }: RequestHead): boolean {
  return target.startsWith('/apps/');
}

/** A TLS connection made for one mapping must not carry requests for another one. */
function isMisdirected(routes: RouteTable, host: string, serverName: string | undefined): boolean {
  return serverName !== undefined && serverName !== host && routes.findRoute(serverName) !== undefined;
}
