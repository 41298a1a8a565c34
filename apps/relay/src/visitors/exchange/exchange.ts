import type { RelayLimits } from '../../config/relay-limits.ts';
import type { Grant } from '../../access/judge-access.ts';
import type { BodyReader } from '../../codecs/http1/body-reader.ts';
import { createBodyReader } from '../../codecs/http1/create-body-reader.ts';
import type { BodyPart } from '../../codecs/http/body-part.ts';
import { isBodyless } from '../../codecs/http/framing.ts';
import { chunkedBytes } from '../../codecs/http1/chunked-bytes.ts';
import { AnswerHeadReader } from '../../codecs/http1/answer-head-reader.ts';
import { HttpRefusal } from '../../codecs/http/http-refusal.ts';
import { isProperSwitch } from '../../codecs/http1/is-proper-switch.ts';
import type { ForwardedFacts } from '../../codecs/http/forwarded.ts';
import type { RequestHead } from '../../codecs/http/request-head.ts';
import type { AnswerRules } from '../../codecs/http/response-fields.ts';
import { type SetFields, withSetFields } from '../../codecs/http/set-fields.ts';
import { parseResponseHead } from '../../codecs/http1/parse-response-head.ts';
import type { ResponseHead } from '../../codecs/http/response-head.ts';
import { writeRequestHead, type RelayMarks } from '../../codecs/http1/write-head.ts';
import { isConnectionBound } from './connection-bound.ts';
import { type ExchangeCause, type ExchangeFailure, pageOfFailure, pageStatus } from './page-of-failure.ts';
import type { OpenVisit } from '../../visit-log/open-visit.ts';
import {
  closeStream,
  GrantEndedError,
  type ReuseRule,
  type StreamWay,
  type UpstreamEvents,
  type UpstreamFailure,
  type UpstreamPool,
  type UpstreamStream,
  type Waiting,
} from '../../upstream/upstream-stream.ts';

/** Writes an answer in the visitor's protocol. Each returns false to wait for `onVisitorDrain`. */
type AnswerWriter = {
  sendInterim(response: ResponseHead, rules: AnswerRules): boolean;
  /** Sends the head of the final answer, and the first part of its body. */
  sendHead(response: ResponseHead, rules: AnswerRules, part: BodyPart): boolean;
  sendBody(part: BodyPart): boolean;
};

/** What the visitor sends after the head of the request. */
type RequestInput = {
  pauseReading(): void;
  resumeReading(): void;
};

/** How an exchange ends: one of these is called once, unless the visitor's side aborts it. */
type ExchangeEvents = {
  /** The whole answer is sent. */
  onExchangeDone(): void;
  /** The exchange failed before any byte of an answer. */
  onExchangeFailed(failure: ExchangeFailure): void;
  /** The exchange failed after a part of an answer: the visitor must see that it was cut. */
  onExchangeCut(how: { hasServiceEnded: boolean }): void;
};

/** A connection with one request at a time. */
export type DedicatedConnection = {
  readonly isShared: false;
  /** Switches the connection to bytes of another protocol. */
  onSwitched(): void;
  endSending(): void;
  /** Keeps a bound stream for the connection's next request; see connection-bound.ts. */
  keepBound(stream: UpstreamStream, targetKey: string | undefined): void;
  /** The bound stream, when it leads to that host, and to that target of its rules. */
  takeBound(host: string, targetKey: string | undefined): UpstreamStream | undefined;
};

/** A connection that carries several requests at a time. */
export type SharedConnection = {
  readonly isShared: true;
  /** Ends the exchange, because its answer authenticates the connection, not the request; see connection-bound.ts. */
  refuseBound(): void;
};

/** The visitor's side of one exchange. */
export type ExchangeVisitor = AnswerWriter &
  RequestInput &
  ExchangeEvents & { readonly connection: DedicatedConnection | SharedConnection };

export type ExchangePlan = {
  marks: RelayMarks;
  rules: AnswerRules;
  forwarded: ForwardedFacts;
  pool: UpstreamPool;
  grant: Grant;
  /** Absent: a stream to the only target. */
  way?: StreamWay | undefined;
  /** What is set in the request and in the answer, as if visitor and service had sent it. */
  setFields?: { request: SetFields; answer: SetFields } | undefined;
  /** Whether answers come from a device, not from the console. */
  isTenant: boolean;
  /** Whether the request's body must arrive within a time: the console's are small. */
  isBodyTimed?: boolean;
  /** For a mapping with a visitor log. */
  visit?: OpenVisit | undefined;
  /** The mapping's own, in place of the relay's. */
  timeouts?: Partial<Pick<RelayLimits, 'responseHeadTimeoutMs' | 'serviceSilenceMs'>> | undefined;
};

export type ExchangeDeps = {
  monotonicMs: () => number;
  /** The lines that describe the visitor to the service; see ForwardedLines. */
  forwarded: string;
  /** A stream that this visitor's connection has to itself; see connection-bound.ts. */
  bound: UpstreamStream | undefined;
  /** The visitor's connection, which takes turns with others of its address. Absent: a request never waits for a stream. */
  turnOf?: object | undefined;
};

export type ExchangeLimits = Pick<
  RelayLimits,
  | 'turnWaitMs'
  | 'awayHoldMs'
  | 'responseHeadTimeoutMs'
  | 'upstreamIdleMs'
  | 'serviceSilenceMs'
  | 'unreadAnswerMs'
  | 'rawHalfClosedMs'
  | 'consoleBodyMs'
  | 'consoleBodyBytesPerSecond'
>;

const idleEvents: UpstreamEvents = { onData() {}, onEnd() {}, onFailed() {}, onDrain() {} };
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PROPFIND', 'SEARCH', 'REPORT']);

/** The most interim answers, such as 103, before the final one: they must not pile up before a slow visitor. */
const MAX_INTERIM_ANSWERS = 16;
const MAX_INTERIM_BYTES = 64 * 1024;

/**
 * One request and its answer: bytes are forwarded as they arrive, and the end of every message is known.
 * The file is long because the two directions interact in every state.
 */
export class Exchange implements UpstreamEvents {
  readonly #visitor: ExchangeVisitor;
  readonly #plan: ExchangePlan;
  readonly #request: RequestHead;
  readonly #requestHead: Buffer;
  /** Whether it may and can be sent again: a forwarded body is not kept. */
  readonly #canRetry: boolean;
  readonly #monotonicMs: () => number;
  readonly #begunMs: number;
  readonly #waiting: Waiting | undefined;
  /** Since when it has its stream. */
  #turnMs: number;
  readonly #responseReader = new AnswerHeadReader();
  #upstream: UpstreamStream;
  #response: ResponseHead | undefined;
  #responseBody: BodyReader | undefined;
  #phase: 'head' | 'body' | 'switched' | 'over' = 'head';
  #isBound: boolean;
  #isRequestDone: boolean;
  #bodyBytes = 0;
  #isBodyLate = false;
  /** Since when its device is away, as the sweeps have seen it. */
  #awaySinceMs: number | undefined;
  #isAwayTooLong = false;
  /** A part of the answer was improper: what follows on the connection could be read in more than one way. */
  #isRepaired = false;
  #interimAnswers = 0;
  #interimBytes = 0;
  #unconsumedBytes = 0;
  /** To the service, at the last sweep. */
  #queuedBytes = 0;
  #lastActiveMs: number;
  #hasVisitorEnded = false;
  #hasUpstreamEnded = false;

  /** Throws the pool's error when it has no stream. After an exception it holds none. */
  constructor(
    visitor: ExchangeVisitor,
    request: RequestHead,
    plan: ExchangePlan,
    { monotonicMs, forwarded, bound, turnOf }: ExchangeDeps,
  ) {
    this.#visitor = visitor;
    this.#request = request;
    this.#plan = plan;
    this.#monotonicMs = monotonicMs;
    this.#begunMs = monotonicMs();
    this.#lastActiveMs = this.#begunMs;
    this.#turnMs = this.#begunMs;
    this.#isRequestDone = isBodyless(request.framing);
    this.#waiting = turnOf && { connection: turnOf, hasBody: !this.#isRequestDone };
    this.#canRetry = this.#isRequestDone && IDEMPOTENT.has(request.method);
    const { marks, rules, pool, grant, way, setFields } = plan;
    const sent = setFields === undefined ? request : withSetFields(request, setFields.request);
    this.#isBound = bound !== undefined || isConnectionBound(sent.fields, 'authorization');
    const rewrite = { marks, forwarded, origins: rules.origins };
    this.#requestHead = Buffer.from(writeRequestHead(sent, rewrite), 'latin1');
    pool.meter.begin(grant.isOwnersPreflight === true ? undefined : grant);
    this.#upstream = bound ?? pool.take(this.#canRetry ? 'any' : 'recent', grant, way, this.#waiting);
    try {
      this.#upstream.grant = grant;
      this.#upstream.events = this;
      this.#upstream.write(this.#requestHead);
      this.#countIn(this.#requestHead);
    } catch (error) {
      // Nobody has this exchange, so nobody else would free its stream.
      this.#phase = 'over';
      this.#upstream.reset();
      throw error;
    }
  }

  get isRequestDone(): boolean {
    return this.#isRequestDone;
  }

  /** The time of the last bytes from either side. */
  get lastActiveMs(): number {
    return this.#lastActiveMs;
  }

  /** Interim answers do not count: a final one may still follow them. */
  get hasAnswerBegun(): boolean {
    return this.#phase !== 'head';
  }

  /** The next part of the request's body. */
  takeBody(part: BodyPart): void {
    if (part.trailers !== undefined) this.#isRequestDone = true;
    if (this.#phase === 'over') return;
    this.#lastActiveMs = this.#monotonicMs();
    this.#bodyBytes += part.payload.length;
    const bytes = this.#request.framing.type === 'chunked' ? chunkedBytes(part) : part.payload;
    this.#countIn(bytes);
    if (bytes.length > 0 && !this.#upstream.write(bytes)) this.#visitor.pauseReading();
  }

  /** After a switch of protocols: bytes of any meaning. */
  takeSwitched(chunk: Buffer): void {
    this.#lastActiveMs = this.#monotonicMs();
    this.#countIn(chunk);
    if (!this.#upstream.write(chunk)) this.#visitor.pauseReading();
  }

  onVisitorEnd(): void {
    this.#hasVisitorEnded = true;
    this.#lastActiveMs = this.#monotonicMs();
    if (this.#phase !== 'switched') return;
    this.#upstream.end();
    if (this.#hasUpstreamEnded) this.#finish();
  }

  onVisitorDrain(): void {
    this.#lastActiveMs = this.#monotonicMs();
    const bytes = this.#unconsumedBytes;
    this.#unconsumedBytes = 0;
    if (bytes > 0) this.#upstream.consumed(bytes);
  }

  /** The visitor's connection has taken a part of what `sendBody` did not accept at once. */
  onVisitorTook(bytes: number): void {
    this.#lastActiveMs = this.#monotonicMs();
    const taken = Math.min(bytes, this.#unconsumedBytes);
    this.#unconsumedBytes -= taken;
    if (taken > 0) this.#upstream.consumed(taken);
  }

  /** The visitor accepts sent bytes, if slowly. */
  onVisitorProgress(): void {
    this.#lastActiveMs = this.#monotonicMs();
  }

  /** The visitor has disconnected or must be disconnected. */
  abort(): void {
    if (this.#phase === 'over') return;
    this.#phase = 'over';
    this.#plan.visit?.end({ outcome: 'aborted' });
    this.#closeUpstream();
  }

  /** A half request must not look like a whole one. What follows a switch of protocols is whole for its program alone. */
  #closeUpstream(): void {
    if (this.#isRequestDone && this.#response?.status !== 101) closeStream(this.#upstream);
    else this.#upstream.reset();
  }

  isOverdue(monotonicMs: number, limits: ExchangeLimits): boolean {
    if (this.#phase === 'over') return false;
    if (this.#upstream.waitsForTurn === true) {
      this.#lastActiveMs = monotonicMs;
      this.#turnMs = monotonicMs;
      return monotonicMs - this.#begunMs > limits.turnWaitMs;
    }
    if (this.#phase === 'switched') {
      const isHalfClosed = this.#hasVisitorEnded || this.#hasUpstreamEnded;
      return isHalfClosed && monotonicMs - this.#lastActiveMs > limits.rawHalfClosedMs;
    }
    this.#isBodyLate = this.#plan.isBodyTimed === true && !this.#isRequestDone && this.#isLate(monotonicMs, limits);
    if (this.#isBodyLate) return true;
    this.#isAwayTooLong = this.#isHeldTooLong(monotonicMs, limits);
    if (this.#isAwayTooLong) return true;
    const { queuedBytes } = this.#upstream;
    if (queuedBytes !== this.#queuedBytes) this.#lastActiveMs = monotonicMs;
    this.#queuedBytes = queuedBytes;
    return monotonicMs - this.#lastActiveMs > this.#patienceMs({ ...limits, ...this.#plan.timeouts });
  }

  /** How long nothing may move. */
  #patienceMs(limits: ExchangeLimits): number {
    const { isTenant } = this.#plan;
    const silenceMs = isTenant ? limits.serviceSilenceMs : limits.upstreamIdleMs;
    // The visitor does not read, which is no fault of the service.
    if (isTenant && this.#unconsumedBytes > 0) return Math.max(silenceMs, limits.unreadAnswerMs);
    const hasServiceAll = this.#isRequestDone && (this.#bodyBytes === 0 || this.#queuedBytes === 0);
    // A gRPC service sends its head with its first message, which may be an event that comes late.
    const isAnswerDue = hasServiceAll && this.#plan.way?.isHttp2 !== true;
    return this.#phase === 'head' && isAnswerDue ? limits.responseHeadTimeoutMs : silenceMs;
  }

  /** Gives up waiting. */
  expire(): void {
    if (this.#upstream.waitsForTurn === true) this.#fail('visitorBusy');
    else this.#fail(this.#isAwayTooLong ? 'away' : 'timeout');
  }

  /** A transfer that has begun waits as long as the device may come back. */
  #isHeldTooLong(monotonicMs: number, { awayHoldMs }: ExchangeLimits): boolean {
    const isHeld = this.#phase === 'head' && this.#isRequestDone && this.#upstream.isAway === true;
    this.#awaySinceMs = isHeld ? (this.#awaySinceMs ?? monotonicMs) : undefined;
    return this.#awaySinceMs !== undefined && monotonicMs - this.#awaySinceMs > awayHoldMs;
  }

  /** A body that comes byte by byte would otherwise hold its stream for as long as somebody likes. */
  #isLate(monotonicMs: number, { consoleBodyMs, consoleBodyBytesPerSecond }: ExchangeLimits): boolean {
    return monotonicMs - this.#turnMs > consoleBodyMs + (this.#bodyBytes / consoleBodyBytesPerSecond) * 1000;
  }

  onData(chunk: Buffer): void {
    this.#lastActiveMs = this.#monotonicMs();
    if (this.#plan.visit !== undefined) this.#plan.visit.bytesOut += chunk.length;
    try {
      if (this.#phase === 'head') this.#takeHeads(chunk);
      else this.#takeResponseBody(chunk);
    } catch (error) {
      if (!(error instanceof HttpRefusal)) throw error;
      this.#fail('bad-answer');
    }
  }

  onEnd(): void {
    this.#hasUpstreamEnded = true;
    this.#lastActiveMs = this.#monotonicMs();
    if (this.#phase === 'switched') {
      if (!this.#visitor.connection.isShared) this.#visitor.connection.endSending();
      if (this.#hasVisitorEnded) this.#finish();
    } else if (this.#phase === 'body' && this.#response?.framing.type === 'until-close') {
      this.#finish();
    } else if (this.#phase !== 'over') {
      this.onFailed('lost');
    }
  }

  onFailed(failure: UpstreamFailure): void {
    if (this.#phase === 'over') return;
    if (failure === 'lost' && this.#mayTryAgain()) {
      this.#retry();
    } else {
      this.#fail(failure);
    }
  }

  onDrain(): void {
    this.#visitor.resumeReading();
  }

  #mayTryAgain(): boolean {
    const isUntouched = this.#phase === 'head' && this.#interimAnswers === 0 && !this.#responseReader.hasBegun;
    return isUntouched && this.#upstream.isReused && !this.#isBound && this.#canRetry;
  }

  /** The service had just closed this idle stream. The new stream was never idle, so this happens once. */
  #retry(): void {
    this.#upstream.reset();
    try {
      const { pool, grant, way } = this.#plan;
      this.#upstream = pool.take('never' satisfies ReuseRule, grant, way, this.#waiting);
    } catch (error) {
      // No other stream: the visitor gets the error of the lost one.
      this.#fail(error instanceof GrantEndedError ? 'revoked' : 'lost');
      return;
    }
    this.#hasUpstreamEnded = false;
    this.#upstream.events = this;
    this.#upstream.write(this.#requestHead);
  }

  #fail(failure: ExchangeCause): void {
    const wasHead = this.#phase === 'head';
    const page = this.#isBodyLate ? 'request-timeout' : pageOfFailure(failure, this.#plan.isTenant);
    this.#plan.visit?.end({ outcome: 'failed', reason: page, ...(wasHead && { status: pageStatus(page) }) });
    this.abort();
    this.#plan.pool.meter.failed();
    if (wasHead) this.#visitor.onExchangeFailed(page);
    else this.#visitor.onExchangeCut({ hasServiceEnded: failure === 'lost' && this.#hasUpstreamEnded });
  }

  #takeHeads(chunk: Buffer): void {
    let from = 0;
    let isAccepted = true;
    while (this.#phase === 'head') {
      const head = from < chunk.length ? this.#responseReader.push(chunk, from) : undefined;
      if (head === undefined) return this.#passOn(isAccepted, chunk.length);
      from = head.end;
      const response = this.#readHead(head.text);
      if (response.status === 101) return this.#switch(response, chunk, from);
      if (response.status >= 200) return this.#begin(response, chunk, from);
      isAccepted = this.#forwardInterim(response, head.text.length);
    }
  }

  #readHead(text: string): ResponseHead {
    const head = parseResponseHead(text, this.#request.method);
    this.#isRepaired ||= head.isRepaired;
    const { setFields } = this.#plan;
    if (setFields === undefined || (head.status < 200 && head.status !== 101)) return head;
    return withSetFields(head, setFields.answer);
  }

  /** False when the visitor must accept more first. */
  #forwardInterim(response: ResponseHead, bytes: number): boolean {
    this.#interimAnswers++;
    this.#interimBytes += bytes;
    if (this.#interimAnswers > MAX_INTERIM_ANSWERS || this.#interimBytes > MAX_INTERIM_BYTES)
      throw new HttpRefusal('too many interim answers');
    return this.#request.version === 10 || this.#visitor.sendInterim(response, this.#plan.rules);
  }

  #switch(response: ResponseHead, chunk: Buffer, from: number): void {
    const { connection } = this.#visitor;
    if (!this.#isRequestDone || connection.isShared || !isProperSwitch(response, this.#request.upgrade))
      throw new HttpRefusal('101 without being asked');
    this.#phase = 'switched';
    this.#response = response;
    this.#countAnswer(response);
    const first = { payload: chunk.subarray(from), trailers: undefined };
    this.#passOn(this.#visitor.sendHead(response, this.#plan.rules, first), chunk.length);
    connection.onSwitched();
  }

  #begin(response: ResponseHead, chunk: Buffer, from: number): void {
    this.#response = response;
    if (isConnectionBound(response.fields, 'www-authenticate')) {
      this.#isBound = true;
      const { connection } = this.#visitor;
      if (connection.isShared) {
        this.#countAnswer(response);
        return connection.refuseBound();
      }
    }
    const body = createBodyReader(response.framing, { repairs: true });
    const part = body.take(chunk, from);
    // Only now: if the first bytes of an answer are malformed, the visitor can still get a page.
    this.#responseBody = body;
    this.#phase = 'body';
    this.#countAnswer(response);
    this.#passOn(this.#visitor.sendHead(response, this.#plan.rules, part), chunk.length);
    if (body.isDone) this.#finish({ hasSurplus: part.end < chunk.length });
  }

  #countAnswer({ status }: ResponseHead): void {
    this.#plan.pool.meter.answered(status, this.#monotonicMs() - this.#begunMs);
    if (this.#plan.visit !== undefined) this.#plan.visit.status = status;
  }

  #takeResponseBody(chunk: Buffer): void {
    if (this.#phase === 'over') return;
    if (this.#responseBody === undefined) {
      const switched = { payload: chunk, trailers: undefined };
      return this.#passOn(this.#visitor.sendBody(switched), chunk.length);
    }
    const part = this.#responseBody.take(chunk, 0);
    this.#passOn(this.#visitor.sendBody(part), chunk.length);
    if (this.#responseBody.isDone) this.#finish({ hasSurplus: part.end < chunk.length });
  }

  #countIn(bytes: Buffer): void {
    if (this.#plan.visit !== undefined) this.#plan.visit.bytesIn += bytes.length;
  }

  #passOn(isAccepted: boolean, bytes: number): void {
    if (isAccepted) this.#upstream.consumed(bytes);
    else this.#unconsumedBytes += bytes;
  }

  /** `hasSurplus`: the service sent bytes that belong to no answer. */
  #finish({ hasSurplus }: { hasSurplus: boolean } = { hasSurplus: false }): void {
    this.#phase = 'over';
    this.#plan.visit?.end({ outcome: 'served' });
    const { connection } = this.#visitor;
    const isClean = !hasSurplus && !this.#isRepaired && this.#responseBody?.isRepaired !== true;
    const canReuse = this.#isRequestDone && this.#response?.keepsAlive === true && !this.#hasUpstreamEnded && isClean;
    this.#upstream.consumed(this.#unconsumedBytes);
    this.#unconsumedBytes = 0;
    // After a switch both sides have ended, but bytes to the service may still be queued.
    if (this.#response?.status === 101) this.#upstream.events = idleEvents;
    else if (!canReuse) this.#closeUpstream();
    else if (!this.#isBound) this.#upstream.release();
    else if (connection.isShared) this.#upstream.reset();
    else connection.keepBound(this.#upstream, this.#plan.way?.targetKey);
    this.#visitor.onExchangeDone();
  }
}
