import type { RequestHead } from '../../codecs/http/request-head.ts';
import { STRICT_TRANSPORT } from '../../codecs/http/response-fields.ts';
import type { LocalResponse } from '../../codecs/http/local-response.ts';
import { pageAnswer } from '../../pages/page-answer.ts';
import type { PageKind } from '../../pages/page-texts.ts';
import { Exchange, type ExchangePlan, type ExchangeVisitor } from '../exchange/exchange.ts';
import type { Answer, RelayAnswer } from './route-request.ts';
import { type ExchangeFailure, pageOfPoolError } from '../exchange/page-of-failure.ts';
import type { VisitorOrigin } from './visitor-origin.ts';

export type DispatchDeps = {
  monotonicMs: () => number;
  consoleUrl: () => string;
  route: (request: RequestHead, visitor: VisitorOrigin) => Answer;
  /** The Strict-Transport-Security of an answer; undefined: none. */
  strictTransport: (answer: { host: string; scheme: 'http' | 'https'; isTenant: boolean }) => string | undefined;
};

/** The part that has read a request, in any protocol, and sends its answer. */
export type Requester = ExchangeVisitor & {
  readonly facts: VisitorOrigin;
  onForwarded(request: RequestHead, exchange: Exchange): void;
  answer(answer: LocalResponse): void;
  /** A local response that needs an answer of the server first. */
  onAnswerPending(): void;
  /** The request is not decided yet: its body must wait. */
  onHeld(): void;
  /** Answers a held request by `decide`, unless the visitor has left. */
  onDecided(request: RequestHead, decide: () => void): void;
  /** Does nothing when the visitor has left. */
  answerPending(request: RequestHead, answer: LocalResponse): void;
};

/** Answers one request, of any protocol. */
export function dispatch(deps: DispatchDeps, requester: Requester, request: RequestHead): void {
  decide(deps, requester, request, deps.route(request, requester.facts));
}

function decide(deps: DispatchDeps, requester: Requester, request: RequestHead, answer: Answer): void {
  switch (answer.type) {
    case 'forward':
      return forward(deps, requester, request, secured(deps, requester, request, answer.plan));
    case 'page':
    case 'local':
      return requester.answer(localResponseOf(deps, requester, request, answer));
    case 'later':
      requester.onAnswerPending();
      void answer.response.then((later) =>
        requester.answerPending(request, localResponseOf(deps, requester, request, later)),
      );
      return;
    case 'held':
      requester.onHeld();
      void answer.isLetIn.then((isLetIn) =>
        requester.onDecided(request, () =>
          decide(deps, requester, request, isLetIn ? deps.route(request, requester.facts) : answer.otherwise),
        ),
      );
  }
}

/** A page about a request, readable or not. */
export function pageFor(
  deps: Pick<DispatchDeps, 'consoleUrl' | 'strictTransport'>,
  { facts }: Pick<Requester, 'facts'>,
  request: RequestHead | undefined,
  page: { kind: PageKind } & Pick<Extract<RelayAnswer, { type: 'page' }>, 'facts' | 'framedBy'>,
): LocalResponse {
  const answer = pageAnswer(page.kind, {
    request,
    visitorAddress: facts.address,
    scheme: facts.scheme,
    consoleUrl: deps.consoleUrl(),
    facts: page.facts,
    framedBy: page.framedBy,
  });
  return request === undefined ? answer : securedOwn(deps, facts, request, answer);
}

/** The page in place of an answer of which no byte arrived. */
export function failureAnswer(
  deps: DispatchDeps,
  requester: Pick<Requester, 'facts'>,
  request: RequestHead | undefined,
  failure: ExchangeFailure,
): LocalResponse {
  if (failure !== 'revoked') return pageFor(deps, requester, request, { kind: failure });
  const current = request === undefined ? undefined : deps.route(request, requester.facts);
  if (request !== undefined && (current?.type === 'page' || current?.type === 'local'))
    return localResponseOf(deps, requester, request, current);
  return pageFor(deps, requester, request, { kind: 'mapping-changed' });
}

function forward(deps: DispatchDeps, requester: Requester, request: RequestHead, plan: ExchangePlan): void {
  let exchange: Exchange;
  try {
    exchange = new Exchange(requester, request, plan, {
      monotonicMs: deps.monotonicMs,
      bound: requester.dedicated?.takeBound(request.host),
    });
  } catch (error) {
    // Only the pool throws here.
    plan.pool.meter.failed();
    const failure = pageOfPoolError(error, plan.isTenant);
    return requester.answer(failureAnswer(deps, requester, request, failure));
  }
  requester.onForwarded(request, exchange);
}

function secured(deps: DispatchDeps, { facts }: Requester, { host }: RequestHead, plan: ExchangePlan): ExchangePlan {
  const strictTransport = deps.strictTransport({ host, scheme: facts.scheme, isTenant: plan.isTenant });
  return strictTransport === undefined ? plan : { ...plan, rules: { ...plan.rules, strictTransport } };
}

function securedOwn(
  deps: Pick<DispatchDeps, 'strictTransport'>,
  { scheme }: VisitorOrigin,
  { host }: RequestHead,
  answer: LocalResponse,
): LocalResponse {
  const strictTransport = deps.strictTransport({ host, scheme, isTenant: false });
  if (strictTransport === undefined) return answer;
  return { ...answer, fields: [...answer.fields, [STRICT_TRANSPORT, strictTransport]] };
}

function localResponseOf(
  deps: DispatchDeps,
  requester: Pick<Requester, 'facts'>,
  request: RequestHead,
  answer: RelayAnswer,
): LocalResponse {
  if (answer.type === 'page') return pageFor(deps, requester, request, answer);
  return securedOwn(deps, requester.facts, request, answer.answer);
}
