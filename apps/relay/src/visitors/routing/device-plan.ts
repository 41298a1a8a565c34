import type { Route } from '@tongtu/contract';
import type { HttpTarget } from '@tongtu/tunnel';
import type { TryLimit } from '../../access/try-limit.ts';
import { visitorCookieNames } from '../../access/visitor-cookie.ts';
import { type Origin, OriginRewrite } from '../../codecs/http/origin-rewrite.ts';
import type { RequestHead } from '../../codecs/http/request-head.ts';
import type { AnswerRules } from '../../codecs/http/response-fields.ts';
import type { RelayMarks } from '../../codecs/http1/write-head.ts';
import type { PageKind } from '../../pages/page-texts.ts';
import { mayNameCookieDomain } from '../../routes/may-name-cookie-domain.ts';
import type { RouteEntry } from '../../routes/route-entry.ts';
import type { RouteTable } from '../../routes/route-table.ts';
import type { UpstreamPool } from '../../upstream/upstream-stream.ts';
import type { ExchangePlan } from '../exchange/exchange.ts';
import { type ChosenTarget, chooseTarget, hasLogin } from './choose-target.ts';
import type { VisitorOrigin } from './visitor-origin.ts';

export type DevicePlanDeps = {
  routes: RouteTable;
  wrongPasswords: TryLimit;
  /** See `chooseTarget`. */
  nextTurn: (first: HttpTarget) => number;
  marks: RelayMarks;
};

/** A request that may go to a connected device. */
type Passed = { request: RequestHead; visitor: VisitorOrigin; pool: UpstreamPool };

/** Not 80, which http does not name. */
const EXPLICIT_PORT = /:(?!80$)\d+$/;
const deviceRules: AnswerRules = { reservedCookies: visitorCookieNames, origins: undefined };

/** How a request goes to its target, without the visitor’s grounds; or the page for a visitor who gets none. */
export function planForDevice(
  deps: DevicePlanDeps,
  entry: RouteEntry,
  passed: Passed,
): Omit<ExchangePlan, 'grant'> | PageKind {
  const target = targetOf(deps, entry, passed);
  if (typeof target === 'string') return target;
  const { pool, visitor } = passed;
  return {
    marks: deps.marks,
    rules: rulesFor(deps.routes, entry, { ...passed, target }),
    pool,
    isTenant: true,
    way: { targetKey: target?.key, origin: visitor.connection },
    ...(target && { setFields: { request: target.requestFields, answer: target.responseFields } }),
  };
}

/** The target by the rules of the mapping, undefined for that of its route; or the page for a visitor who gets none. */
function targetOf(
  { wrongPasswords, nextTurn }: DevicePlanDeps,
  { route }: RouteEntry,
  { request, visitor, pool }: Passed,
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
