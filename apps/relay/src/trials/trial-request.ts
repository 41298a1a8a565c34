import type { Grant } from '../access/judge-access.ts';
import type { BodyPart } from '../codecs/http/body-part.ts';
import type { Field } from '../codecs/http/fields.ts';
import { ForwardedLines } from '../codecs/http/forwarded.ts';
import { type AnswerRules, passedValue } from '../codecs/http/response-fields.ts';
import type { ResponseHead } from '../codecs/http/response-head.ts';
import { parseRequestHead } from '../codecs/http1/parse-request-head.ts';
import type { RouteEntry } from '../routes/route-entry.ts';
import type { MappingPool } from '../upstream/mapping-pool.ts';
import type { UpstreamStream } from '../upstream/upstream-stream.ts';
import { type DedicatedConnection, Exchange, type ExchangeVisitor } from '../visitors/exchange/exchange.ts';
import { type ExchangeFailure, failureOfPoolError } from '../visitors/exchange/page-of-failure.ts';
import { type DevicePlanDeps, planForDevice } from '../visitors/routing/device-plan.ts';
import type { VisitorOrigin } from '../visitors/routing/visitor-origin.ts';

/** The head of a page, and what a service says of an error, are within it. */
const MAX_BODY_BYTES = 64 * 1024;

export type TrialDeps = DevicePlanDeps & {
  monotonicMs: () => number;
};

export type TrialPlace = { entry: RouteEntry; pool: MappingPool; visitor: VisitorOrigin; grant: Grant };
/** `body`: no more than its beginning. `isCut`: the service sent less than it had announced. */
export type TrialResponse = { status: number; fields: Field[]; body: Buffer; isCut: boolean };
export type TrialOutcome = { response: TrialResponse } | { failure: ExchangeFailure };

/**
 * Sends one request of a trial visit as `dispatch` does for a visitor's. `head` holds its lines, each with its CRLF. An
 * abort resolves with what has arrived by then.
 */
export async function sendTrial(
  deps: TrialDeps,
  place: TrialPlace,
  head: string,
  signal: AbortSignal,
): Promise<TrialOutcome> {
  const { entry, pool, visitor, grant } = place;
  const request = parseRequestHead(head);
  const found = planForDevice(deps, entry, { request, visitor, pool });
  if (typeof found === 'string') return { failure: found };
  const plan = { ...found, grant };
  const forwarded = new ForwardedLines(visitor).linesFor(plan.forwarded);
  return await new Promise((resolve, reject) => {
    const receiver = new TrialReceiver(resolve, signal);
    try {
      const { monotonicMs } = deps;
      receiver.begin(new Exchange(receiver, request, plan, { monotonicMs, forwarded, bound: undefined }));
    } catch (error) {
      const failure = failureOfPoolError(error);
      if (failure === undefined) reject(error);
      else receiver.onExchangeFailed(failure);
    }
  });
}

/** The visitor's side of an exchange, without a connection. */
class TrialReceiver implements ExchangeVisitor, DedicatedConnection {
  readonly connection = this;
  readonly isShared = false;
  readonly #resolve: (outcome: TrialOutcome) => void;
  readonly #signal: AbortSignal;
  readonly #onAbort = () => this.#finish('target-timeout');
  #exchange: Exchange | undefined;
  #response: Pick<TrialResponse, 'status' | 'fields'> | undefined;
  #body: Buffer[] = [];
  #bodyBytes = 0;

  constructor(resolve: (outcome: TrialOutcome) => void, signal: AbortSignal) {
    this.#resolve = resolve;
    this.#signal = signal;
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  begin(exchange: Exchange): void {
    this.#exchange = exchange;
    if (this.#signal.aborted) this.#onAbort();
  }

  sendInterim(): boolean {
    return true;
  }

  sendHead(response: ResponseHead, rules: AnswerRules, part: BodyPart): boolean {
    const { status } = response;
    const fields = response.fields.flatMap((field) => {
      const value = passedValue(field, response.options, rules);
      return value === undefined ? [] : [{ ...field, value }];
    });
    this.#response = { status, fields };
    return this.sendBody(part);
  }

  sendBody({ payload }: BodyPart): boolean {
    this.#body.push(payload);
    this.#bodyBytes += payload.length;
    // The exchange is still in the middle of this call.
    if (this.#bodyBytes >= MAX_BODY_BYTES) setImmediate(() => this.#finish('target-lost'));
    return this.#bodyBytes < MAX_BODY_BYTES;
  }

  pauseReading(): void {}
  resumeReading(): void {}
  endSending(): void {}

  onSwitched(): void {
    setImmediate(() => this.#finish('target-lost'));
  }

  keepBound(stream: UpstreamStream): void {
    stream.reset();
  }

  takeBound(): undefined {
    return undefined;
  }

  onExchangeDone(): void {
    this.#finish('target-lost');
  }

  onExchangeFailed(failure: ExchangeFailure): void {
    this.#finish(failure);
  }

  onExchangeCut(): void {
    this.#finish('target-lost', { isCut: true });
  }

  /** `failure`: where no answer has begun. */
  #finish(failure: ExchangeFailure, { isCut = false } = {}): void {
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#exchange?.abort();
    this.#exchange = undefined;
    const response = this.#response;
    if (response === undefined) return this.#resolve({ failure });
    const body = Buffer.concat(this.#body).subarray(0, MAX_BODY_BYTES);
    this.#resolve({ response: { ...response, body, isCut } });
  }
}
