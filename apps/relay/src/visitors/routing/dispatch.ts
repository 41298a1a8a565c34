import type { CookieHead } from '../../codecs/http/planted-cookies.ts';
import { isGrpc } from '../../codecs/http/grpc.ts';
import type { RequestHead } from '../../codecs/http/request-head.ts';
import { STRICT_TRANSPORT } from '../../codecs/http/response-fields.ts';
import type { LocalResponse } from '../../codecs/http/local-response.ts';
import { pageAnswer } from '../../pages/page-answer.ts';
import { type PageKind, pageTexts } from '../../pages/page-texts.ts';
import { askPreflight } from '../exchange/ask-preflight.ts';
import { Exchange, type ExchangePlan, type ExchangeVisitor } from '../exchange/exchange.ts';
import type { Answer, RelayAnswer } from './route-request.ts';
import { type ExchangeFailure, pageOfPoolError } from '../exchange/page-of-failure.ts';
import type { SecuredAnswer } from './strict-transport.ts';
import type { Visitor, VisitorOrigin } from './visitor-origin.ts';

export type DispatchDeps = {
  monotonicMs: () => number;
  consoleUrl: () => string;
  route: (request: RequestHead, visitor: VisitorOrigin) => Answer;
  /** The Strict-Transport-Security of an answer; undefined: none. */
  strictTransport: (answer: SecuredAnswer) => string | undefined;
};

/** A request that can wait until the server has said what becomes of it. */
type HeldRequest = {
  /** The request waits, with its body. */
  hold(): void;
  /** Goes on with it by `decide`, unless the visitor has left. */
  onDecided(request: RequestHead, decide: () => void): void;
};

/** What becomes of a request: an exchange with a service, or a local response. */
type RequestOutcome = {
  onForwarded(request: RequestHead, exchange: Exchange): void;
  answer(answer: LocalResponse): void;
};

/** The part that has read a request, in any protocol, and sends its answer. */
export type Requester = ExchangeVisitor & HeldRequest & RequestOutcome & { readonly visitor: Visitor };

/** Answers one request, of any protocol. */
export function dispatch(deps: DispatchDeps, requester: Requester, request: RequestHead): void {
  decide(deps, requester, request, deps.route(request, requester.visitor.origin));
}

function decide(deps: DispatchDeps, requester: Requester, request: RequestHead, answer: Answer): void {
  switch (answer.type) {
    case 'forward':
      return forward(deps, requester, request, secured(deps, requester.visitor.origin, request, answer.plan));
    case 'page':
    case 'local': {
      const local = localResponseOf(deps, requester.visitor.origin, request, answer);
      // A refusal of gRPC has the status 200, and says in its fields what it means.
      const status = answer.type === 'page' ? pageTexts[answer.kind].status : local.status;
      answer.ended?.visit.end({ ...answer.ended.end, status });
      return requester.answer(local);
    }
    case 'later':
      requester.hold();
      void answer.response.then((later) => requester.onDecided(request, () => decide(deps, requester, request, later)));
      return;
    case 'preflight':
      requester.hold();
      void preflight(deps, requester, answer).then((later) =>
        requester.onDecided(request, () => decide(deps, requester, request, later)),
      );
      return;
    case 'held':
      requester.hold();
      void answer.isLetIn.then((isLetIn) =>
        requester.onDecided(request, () =>
          decide(deps, requester, request, isLetIn ? deps.route(request, requester.visitor.origin) : answer.otherwise),
        ),
      );
  }
}

async function preflight(
  { monotonicMs }: DispatchDeps,
  { visitor }: Requester,
  { request, plan, leave, otherwise }: Extract<Answer, { type: 'preflight' }>,
): Promise<RelayAnswer> {
  const forwarded = visitor.forwarded.linesFor(plan.forwarded);
  const answer = await askPreflight(request, plan, {
    monotonicMs,
    forwarded,
    bound: undefined,
    turnOf: visitor.origin,
  });
  leave();
  return answer === undefined ? otherwise : { type: 'local', answer };
}

/** A page about a request, readable or not. */
export function pageFor(
  deps: Pick<DispatchDeps, 'consoleUrl' | 'strictTransport'>,
  origin: VisitorOrigin,
  request: RequestHead | undefined,
  page: { kind: PageKind; cookies?: CookieHead | undefined } & Pick<
    Extract<RelayAnswer, { type: 'page' }>,
    'facts' | 'framedBy' | 'readableBy'
  >,
): LocalResponse {
  const answer = pageAnswer(page.kind, {
    request,
    visitorAddress: origin.address,
    scheme: origin.scheme,
    consoleUrl: deps.consoleUrl(),
    facts: page.facts,
    framedBy: page.framedBy,
    readableBy: page.readableBy,
    cookies: page.cookies,
  });
  return request === undefined ? answer : securedOwn(deps, origin, request, answer);
}

/** The page in place of an answer of which no byte arrived. */
export function failureAnswer(
  deps: DispatchDeps,
  origin: VisitorOrigin,
  request: RequestHead | undefined,
  failure: ExchangeFailure,
): LocalResponse {
  if (failure !== 'revoked') return pageFor(deps, origin, request, { kind: failure });
  const current = request === undefined ? undefined : deps.route(request, origin);
  if (request !== undefined && (current?.type === 'page' || current?.type === 'local'))
    return localResponseOf(deps, origin, request, current);
  return pageFor(deps, origin, request, { kind: 'mapping-changed' });
}

function forward(deps: DispatchDeps, requester: Requester, request: RequestHead, plan: ExchangePlan): void {
  const { connection, visitor } = requester;
  let exchange: Exchange;
  try {
    exchange = new Exchange(requester, request, connection.isShared ? overHttp2(request, plan) : plan, {
      monotonicMs: deps.monotonicMs,
      forwarded: visitor.forwarded.linesFor(plan.forwarded),
      bound: connection.isShared ? undefined : connection.takeBound(request.host, plan.way?.targetKey),
      turnOf: visitor.origin,
    });
  } catch (error) {
    // Only the pool throws here.
    plan.pool.meter.failed();
    const failure = pageOfPoolError(error, plan.isTenant);
    const local = failureAnswer(deps, visitor.origin, request, failure);
    plan.visit?.end({ outcome: 'failed', reason: failure, status: local.status });
    return requester.answer(local);
  }
  requester.onForwarded(request, exchange);
}

/** gRPC is spoken over HTTP/2 on both sides. Everything else goes to services as HTTP/1.1, which all of them speak. */
function overHttp2(request: RequestHead, plan: ExchangePlan): ExchangePlan {
  return plan.isTenant && isGrpc(request) ? { ...plan, way: { ...plan.way, isHttp2: true } } : plan;
}

function secured(deps: DispatchDeps, origin: VisitorOrigin, { host }: RequestHead, plan: ExchangePlan): ExchangePlan {
  const strictTransport = deps.strictTransport(securedAnswerOf(origin, host, plan));
  return strictTransport === undefined ? plan : { ...plan, rules: { ...plan.rules, strictTransport } };
}

function securedOwn(
  deps: Pick<DispatchDeps, 'strictTransport'>,
  origin: VisitorOrigin,
  { host }: RequestHead,
  answer: LocalResponse,
): LocalResponse {
  const strictTransport = deps.strictTransport(securedAnswerOf(origin, host, { isTenant: false }));
  if (strictTransport === undefined) return answer;
  return { ...answer, fields: [...answer.fields, [STRICT_TRANSPORT, strictTransport]] };
}

function securedAnswerOf(
  { scheme, serverName }: VisitorOrigin,
  host: string,
  { isTenant }: { isTenant: boolean },
): SecuredAnswer {
  return { host, scheme, isTenant, endsTls: serverName !== undefined };
}

function localResponseOf(
  deps: DispatchDeps,
  origin: VisitorOrigin,
  request: RequestHead,
  answer: RelayAnswer,
): LocalResponse {
  if (answer.type === 'page') return pageFor(deps, origin, request, answer);
  return securedOwn(deps, origin, request, answer.answer);
}
