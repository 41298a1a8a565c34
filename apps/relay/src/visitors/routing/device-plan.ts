import { initialOptions, type Route } from '@tongtu/contract';
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
import { meansHttp, originsInAnswers, serviceOrigins, tlsNameOf } from '../../routes/service-origins.ts';
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

/** How a request goes to its target, without the visitor’s grounds; or the page for a visitor who gets none. */
export function planForDevice(
  deps: DevicePlanDeps,
  entry: RouteEntry,
  passed: Passed,
): Omit<ExchangePlan, 'grant'> | PageKind {
  const target = targetOf(deps, entry, passed);
  if (typeof target === 'string') return target;
  const { request, pool, visitor } = passed;
  const { route } = entry;
  const shown: Origin = { scheme: visitor.scheme, authority: request.hostField };
  const origins = serviceOrigins(route, target, shown);
  const rewrite = new OriginRewrite({
    ...{ ...origins, shown },
    inAnswers: () => originsInAnswers(origins, shown),
    staysInAnswers: (field) => meansHttp(field, origins, shown, request.target),
  });
  return {
    marks: deps.marks,
    rules: rulesFor(deps.routes, entry, request, rewrite),
    forwarded: { origin: origins.sent, visitorFields: route.visitorFields },
    pool,
    isTenant: true,
    way: { targetKey: target?.key, tlsName: tlsNameOf(route, origins), origin: visitor.connection },
    timeouts: timeoutsOf(route),
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

function rulesFor(routes: RouteTable, entry: RouteEntry, { host }: RequestHead, origins: OriginRewrite): AnswerRules {
  return {
    reservedCookies: visitorCookieNames,
    mayNameCookieDomain: (domain) => mayNameCookieDomain(entry, domain, { host, consoleHost: routes.consoleHost }),
    origins,
  };
}

/** Those that differ from the initial ones, which are the relay's own. */
function timeoutsOf({ answerTimeoutS, silenceTimeoutS }: Route): ExchangePlan['timeouts'] {
  return {
    ...(answerTimeoutS !== initialOptions.answerTimeoutS && { responseHeadTimeoutMs: answerTimeoutS * 1000 }),
    ...(silenceTimeoutS !== initialOptions.silenceTimeoutS && { serviceSilenceMs: silenceTimeoutS * 1000 }),
  };
}
