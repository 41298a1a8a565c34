import type { BodyPart } from '../../codecs/http/body-part.ts';
import type { LocalResponse } from '../../codecs/http/local-response.ts';
import type { RequestHead } from '../../codecs/http/request-head.ts';
import { type AnswerRules, passedValue } from '../../codecs/http/response-fields.ts';
import type { ResponseHead } from '../../codecs/http/response-head.ts';
import { Exchange, type ExchangeDeps, type ExchangePlan, type ExchangeVisitor } from './exchange.ts';

const TIMEOUT_MS = 10_000;
/** Of a body that nobody gets. */
const MAX_DISCARDED_BYTES = 64 * 1024;
/** The fields that browsers read in the answer to a preflight. */
const SHOWN = new Set([
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-allow-methods',
  'access-control-allow-headers',
  'access-control-allow-private-network',
  'access-control-max-age',
]);

/**
 * Asks a service whether a page may make a request. Its answer is reduced to what it says about that, because some
 * services answer OPTIONS like GET, and any client may ask. Undefined: the service does not say yes.
 */
export async function askPreflight(
  request: RequestHead,
  plan: ExchangePlan,
  deps: ExchangeDeps,
): Promise<LocalResponse | undefined> {
  const asking = new AskingVisitor();
  let exchange: Exchange;
  try {
    exchange = new Exchange(asking, request, plan, deps);
  } catch {
    // Only the pool throws here: the device cannot be asked.
    plan.pool.meter.failed();
    return undefined;
  }
  const timer = setTimeout(() => exchange.expire(), TIMEOUT_MS);
  asking.onOver = () => clearTimeout(timer);
  asking.onTooMuch = () => exchange.abort();
  return await asking.answer;
}

/** Takes the head of the answer and discards its body, so that the stream can be used again. */
class AskingVisitor implements ExchangeVisitor {
  readonly connection = { isShared: true, refuseBound: () => this.#end() } as const;
  readonly answer: Promise<LocalResponse | undefined>;
  onOver = () => {};
  onTooMuch = () => {};
  readonly #resolve: (answer: LocalResponse | undefined) => void;
  #discardedBytes = 0;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<LocalResponse | undefined>();
    this.answer = promise;
    this.#resolve = resolve;
  }

  sendInterim(): boolean {
    return true;
  }

  sendHead(response: ResponseHead, rules: AnswerRules, part: BodyPart): boolean {
    this.#resolve(shownAnswer(response, rules));
    return this.sendBody(part);
  }

  sendBody({ payload }: BodyPart): boolean {
    this.#discardedBytes += payload.length;
    // Not at once: the exchange is in the middle of this part.
    if (this.#discardedBytes > MAX_DISCARDED_BYTES) queueMicrotask(() => this.#end());
    return true;
  }

  pauseReading(): void {}

  resumeReading(): void {}

  onExchangeDone(): void {
    this.#finish();
  }

  onExchangeFailed(): void {
    this.#finish();
  }

  onExchangeCut(): void {
    this.#finish();
  }

  #end(): void {
    this.onTooMuch();
    this.#finish();
  }

  #finish(): void {
    this.onOver();
    this.#resolve(undefined);
  }
}

function shownAnswer({ status, fields, options }: ResponseHead, rules: AnswerRules): LocalResponse | undefined {
  if (status < 200 || status > 299) return undefined;
  const shown = fields.flatMap((field) => {
    const value = SHOWN.has(field.key) ? passedValue(field, options, rules) : undefined;
    return value === undefined ? [] : [[field.name, value] as const];
  });
  const isAllowed = shown.some(([name]) => name.toLowerCase() === 'access-control-allow-origin');
  return isAllowed ? { status: 200, fields: shown, body: Buffer.alloc(0) } : undefined;
}
