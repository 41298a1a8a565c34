import type { Grant } from '../gate/judge-access.ts';
import type { BodyReader } from '../http1/body-reader.ts';
import { createBodyReader } from '../http1/create-body-reader.ts';
import { isBodyless } from '../http1/framing.ts';
import { HeadReader } from '../http1/head-reader.ts';
import { HttpRefusal } from '../http1/http-refusal.ts';
import type { RequestHead } from '../http1/request-head.ts';
import { parseResponseHead, type ResponseHead } from '../http1/response-head.ts';
import { writeRequestHead, writeResponseHead, type RelayMarks, type VisitorFacts } from '../http1/write-head.ts';
import { isConnectionBound } from './connection-bound.ts';
import { ResponseBody } from './response-body.ts';
import type { ReuseRule, UpstreamEvents, UpstreamFailure, UpstreamPool, UpstreamStream } from './upstream-stream.ts';

/** The visitor's connection, as far as an exchange may touch it. */
export type ExchangeVisitor = {
  readonly facts: VisitorFacts;
  readonly isClosing: boolean;
  /** False: wait for `onVisitorDrain`. */
  send(bytes: Buffer): boolean;
  sendHead(text: string, body: Buffer): boolean;
  pauseReading(): void;
  resumeReading(): void;
  endSending(): void;
  onSwitched(): void;
  /** The whole answer is sent. */
  onExchangeDone(options: { keepAlive: boolean }): void;
  /** Nothing of an answer was sent yet. */
  onExchangeFailed(failure: UpstreamFailure | 'bad-answer'): void;
  /** A part of an answer was sent that cannot be completed: the visitor must see that it was cut. */
  onExchangeCut(): void;
  keepBound(stream: UpstreamStream): void;
};

export type ExchangePlan = RelayMarks & {
  pool: UpstreamPool;
  grant: Grant;
  /** A stream that this visitor's connection has to itself; see connection-bound.ts. */
  bound: UpstreamStream | undefined;
  /** Whether answers come from a tenant, whose cookies must stay on its own host. */
  isTenant: boolean;
};

const idleEvents: UpstreamEvents = { onData() {}, onEnd() {}, onFailed() {}, onDrain() {} };
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PROPFIND', 'SEARCH', 'REPORT']);

/** Answers like `103` that may come before the real one, so that they cannot pile up in front of a slow visitor. */
const MAX_INTERIM_ANSWERS = 16;
const MAX_INTERIM_BYTES = 64 * 1024;

/**
 * One request and its answer: bytes go from side to side as they come, and every message's end is known.
 * Long for a file, because the two directions meet in every state and would not be understood apart.
 */
export class Exchange implements UpstreamEvents {
  readonly #visitor: ExchangeVisitor;
  readonly #plan: ExchangePlan;
  readonly #request: RequestHead;
  readonly #requestBody: BodyReader;
  readonly #requestHead: Buffer;
  /** Whether it may be sent twice, and could be: a body that was passed on is not kept. */
  readonly #canRetry: boolean;
  readonly #now: () => number;
  readonly #responseReader = new HeadReader();
  #upstream: UpstreamStream;
  #response: ResponseHead | undefined;
  #responseBody: ResponseBody | undefined;
  #phase: 'head' | 'body' | 'switched' | 'over' = 'head';
  #isBound: boolean;
  #keepAlive = false;
  #interimAnswers = 0;
  #interimBytes = 0;
  #unconsumedBytes = 0;
  #lastActiveMs: number;
  #hasVisitorEnded = false;
  #hasUpstreamEnded = false;

  /** Throws what the pool throws when there is no stream to be had. */
  constructor(visitor: ExchangeVisitor, request: RequestHead, plan: ExchangePlan, now: () => number) {
    this.#visitor = visitor;
    this.#request = request;
    this.#plan = plan;
    this.#now = now;
    this.#lastActiveMs = now();
    this.#requestBody = createBodyReader(request.framing);
    this.#canRetry = isBodyless(request.framing) && request.upgrade === undefined && IDEMPOTENT.has(request.method);
    this.#isBound = plan.bound !== undefined || isConnectionBound(request.fields, 'authorization');
    this.#requestHead = Buffer.from(writeRequestHead(request, visitor.facts, plan), 'latin1');
    this.#upstream = plan.bound ?? plan.pool.take(this.#canRetry ? 'any' : 'recent', plan.grant);
    this.#upstream.grant = plan.grant;
    this.#upstream.events = this;
    this.#upstream.write(this.#requestHead);
  }

  get isRequestDone(): boolean {
    return this.#requestBody.isDone;
  }

  /** Interim answers do not count: a final one may still follow them. */
  get hasAnswerBegun(): boolean {
    return this.#phase !== 'head';
  }

  /** Passes on the body's part of the chunk and returns where it ends. Throws HttpRefusal on broken framing. */
  takeBody(chunk: Buffer, from: number): number {
    const end = this.#requestBody.take(chunk, from);
    if (end > from && this.#phase !== 'over') {
      this.#lastActiveMs = this.#now();
      if (!this.#upstream.write(chunk.subarray(from, end))) this.#visitor.pauseReading();
    }
    return end;
  }

  /** After a switch of protocols: bytes of any meaning. */
  takeSwitched(chunk: Buffer): void {
    if (!this.#upstream.write(chunk)) this.#visitor.pauseReading();
  }

  onVisitorEnd(): void {
    this.#hasVisitorEnded = true;
    if (this.#phase !== 'switched') return;
    this.#upstream.end();
    if (this.#hasUpstreamEnded) this.#finish();
  }

  onVisitorDrain(): void {
    this.#lastActiveMs = this.#now();
    const bytes = this.#unconsumedBytes;
    this.#unconsumedBytes = 0;
    if (bytes > 0) this.#upstream.consumed(bytes);
  }

  /** The visitor is gone or must go. */
  abort(): void {
    if (this.#phase === 'over') return;
    this.#phase = 'over';
    this.#upstream.reset();
  }

  isOverdue(nowMs: number, limits: { responseHeadTimeoutMs: number; upstreamIdleMs: number }): boolean {
    if (this.#phase === 'switched' || this.#phase === 'over') return false;
    const isAwaitingHead = this.#phase === 'head' && this.#requestBody.isDone;
    return nowMs - this.#lastActiveMs > (isAwaitingHead ? limits.responseHeadTimeoutMs : limits.upstreamIdleMs);
  }

  /** Gives up waiting. */
  expire(): void {
    this.#fail('timeout');
  }

  onData(chunk: Buffer): void {
    this.#lastActiveMs = this.#now();
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
    if (this.#phase === 'switched') {
      this.#visitor.endSending();
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

  /** The service had just closed this stream for being idle; a fresh one is not reused, so this happens once. */
  #retry(): void {
    this.#upstream.reset();
    try {
      this.#upstream = this.#plan.pool.take('never' satisfies ReuseRule, this.#plan.grant);
    } catch {
      // No stream to be had: the visitor hears of the one that was lost.
      this.#fail('lost');
      return;
    }
    this.#hasUpstreamEnded = false;
    this.#upstream.events = this;
    this.#upstream.write(this.#requestHead);
  }

  #fail(failure: UpstreamFailure | 'bad-answer'): void {
    const wasHead = this.#phase === 'head';
    this.abort();
    if (wasHead) this.#visitor.onExchangeFailed(failure);
    else this.#visitor.onExchangeCut();
  }

  #takeHeads(chunk: Buffer): void {
    let from = 0;
    let isAccepted = true;
    while (this.#phase === 'head') {
      const head = from < chunk.length ? this.#responseReader.push(chunk, from) : undefined;
      if (head === undefined) return this.#passOn(isAccepted, chunk.length);
      from = head.end;
      const response = parseResponseHead(head.text, this.#request.method);
      if (response.status === 101) return this.#switch(response, chunk, from);
      if (response.status >= 200) return this.#begin(response, chunk, from);
      isAccepted = this.#forwardInterim(response, head.text.length);
    }
  }

  /** False when the visitor has to take more first. */
  #forwardInterim(response: ResponseHead, bytes: number): boolean {
    this.#interimAnswers++;
    this.#interimBytes += bytes;
    if (this.#interimAnswers > MAX_INTERIM_ANSWERS || this.#interimBytes > MAX_INTERIM_BYTES)
      throw new HttpRefusal('too many interim answers');
    if (this.#request.version === 10) return true;
    return this.#visitor.send(Buffer.from(this.#headText(response), 'latin1'));
  }

  #switch(response: ResponseHead, chunk: Buffer, from: number): void {
    if (this.#request.upgrade === undefined || !this.#requestBody.isDone)
      throw new HttpRefusal('101 without being asked');
    this.#phase = 'switched';
    this.#response = response;
    this.#passOn(this.#visitor.sendHead(this.#headText(response), chunk.subarray(from)), chunk.length);
    this.#visitor.onSwitched();
  }

  #begin(response: ResponseHead, chunk: Buffer, from: number): void {
    this.#response = response;
    this.#isBound ||= isConnectionBound(response.fields, 'www-authenticate');
    const isUnchunked = this.#request.version === 10 && response.framing.type === 'chunked';
    const body = new ResponseBody(response.framing, { isUnchunked });
    const bytes = body.take(chunk, from);
    // Only now: an answer whose first bytes are broken already can still be told as a page.
    this.#responseBody = body;
    this.#phase = 'body';
    this.#keepAlive =
      this.#request.wantsKeepAlive &&
      this.#requestBody.isDone &&
      !this.#visitor.isClosing &&
      !isUnchunked &&
      response.framing.type !== 'until-close';
    this.#passOn(this.#visitor.sendHead(this.#headText(response, isUnchunked), bytes), chunk.length);
    if (body.isDone) this.#finish({ hasSurplus: body.end < chunk.length });
  }

  #takeResponseBody(chunk: Buffer): void {
    if (this.#phase === 'over') return;
    const body = this.#phase === 'switched' ? undefined : this.#responseBody;
    const bytes = body === undefined ? chunk : body.take(chunk, 0);
    this.#passOn(bytes.length === 0 || this.#visitor.send(bytes), chunk.length);
    if (body?.isDone === true) this.#finish({ hasSurplus: body.end < chunk.length });
  }

  #passOn(isAccepted: boolean, bytes: number): void {
    if (isAccepted) this.#upstream.consumed(bytes);
    else this.#unconsumedBytes += bytes;
  }

  #headText(response: ResponseHead, isUnchunked = false): string {
    const keepAlive = this.#request.version === 10 ? ('keep-alive' as const) : undefined;
    const isFinal = response.status >= 200;
    return writeResponseHead(response, {
      connection: isFinal ? (this.#keepAlive ? keepAlive : 'close') : undefined,
      isUnchunked,
      reservedCookie: this.#plan.isTenant ? this.#plan.visitorCookie : undefined,
    });
  }

  /** `hasSurplus`: the service sent bytes that belong to no answer. */
  #finish({ hasSurplus }: { hasSurplus: boolean } = { hasSurplus: false }): void {
    this.#phase = 'over';
    const canReuse =
      this.#requestBody.isDone && this.#response?.keepsAlive === true && !this.#hasUpstreamEnded && !hasSurplus;
    this.#upstream.consumed(this.#unconsumedBytes);
    this.#unconsumedBytes = 0;
    // After a switch both sides have ended, and what is queued towards the service has yet to leave.
    if (this.#response?.status === 101) this.#upstream.events = idleEvents;
    else if (!canReuse) this.#upstream.reset();
    else if (this.#isBound) this.#visitor.keepBound(this.#upstream);
    else this.#upstream.release();
    this.#visitor.onExchangeDone({ keepAlive: this.#keepAlive });
  }
}
