import { constants, type ServerHttp2Stream } from 'node:http2';
import { type BodyPart, NO_PAYLOAD, NO_TRAILERS } from '../../codecs/http/body-part.ts';
import { ForwardedLines } from '../../codecs/http/forwarded.ts';
import { isGrpc } from '../../codecs/http/grpc.ts';
import { HttpRefusal } from '../../codecs/http/http-refusal.ts';
import type { RequestHead } from '../../codecs/http/request-head.ts';
import type { AnswerRules } from '../../codecs/http/response-fields.ts';
import type { ResponseHead } from '../../codecs/http/response-head.ts';
import type { LocalResponse } from '../../codecs/http/local-response.ts';
import { isConnectionBound } from '../exchange/connection-bound.ts';
import { dispatch, failureAnswer, pageFor, type Requester } from '../routing/dispatch.ts';
import type { Exchange, SharedConnection } from '../exchange/exchange.ts';
import type { ExchangeFailure } from '../exchange/page-of-failure.ts';
import { pageOfRefusal } from '../routing/page-of-refusal.ts';
import type { VisitorDeps } from '../routing/visitor-deps.ts';
import type { Visitor } from '../routing/visitor-origin.ts';
import { answerFields, interimFields, localResponseFields, trailerFields } from '../../codecs/http2/stream-answer.ts';
import { readPriority } from '../../codecs/http/priority.ts';
import { parseStreamRequest, parseStreamTrailers } from '../../codecs/http2/stream-request.ts';

import type { AnswerScheduler, ScheduledAnswer } from './answer-scheduler.ts';

const { NGHTTP2_CANCEL, NGHTTP2_HTTP_1_1_REQUIRED, NGHTTP2_NO_ERROR } = constants;

export type StreamDeps = Omit<VisitorDeps, 'onClosed'> & {
  scheduler: AnswerScheduler;
  onBody: (chunk: Buffer) => void;
  onClosed: (stream: VisitorStream) => void;
};

/** A stream whose request begins later than it arrived, and the trailers that have come since. */
export type ArrivedStream = { readonly stream: ServerHttp2Stream; trailers: readonly string[] | undefined };

/**
 * One request of an HTTP/2 visitor and its answer.
 * The file is long because both directions of a stream can end each other in every state.
 */
export class VisitorStream implements Requester, SharedConnection {
  readonly connection = this;
  readonly isShared = true;
  visitor: Visitor;
  readonly #deps: StreamDeps;
  readonly #stream: ServerHttp2Stream;
  /** The body of the answer. */
  readonly #body: ScheduledAnswer;
  #request: RequestHead | undefined;
  #exchange: Exchange | undefined;
  #hasRequestEnded: boolean;
  /** Whether its empty body ended before anybody listened, in the same bytes as its head. */
  readonly #hasEndedEarly: boolean;
  /** How many bytes its Content-Length still expects. */
  #bytesLeft: number | undefined;
  #isCutByService = false;
  #requestTrailers = NO_TRAILERS;
  readonly #earlyTrailers: readonly string[] | undefined;
  /** Of the answer. */
  #trailers = NO_TRAILERS;
  #waitsForTrailers = false;
  #sinceMs: number;
  /** At the last sweep. */
  #unsentBytes = 0;

  /** `peer` is the visitor of the whole connection. */
  constructor({ stream, trailers }: ArrivedStream, peer: Visitor, deps: StreamDeps) {
    this.visitor = peer;
    this.#deps = deps;
    this.#stream = stream;
    this.#hasRequestEnded = stream.endAfterHeaders;
    this.#hasEndedEarly = stream.readableEnded && !stream.endAfterHeaders;
    this.#earlyTrailers = trailers;
    this.#sinceMs = deps.monotonicMs();
    this.#body = deps.scheduler.open(stream, {
      onSent: (bytes) => this.#exchange?.onVisitorTook(bytes),
      onDrain: () => this.#exchange?.onVisitorDrain(),
    });
    // An error is always followed by 'close', which is where everything ends.
    stream.on('error', () => {});
    stream.on('aborted', () => this.#abort());
    stream.on('close', () => {
      this.#body.dispose();
      this.#abort();
      deps.onClosed(this);
    });
    stream.on('data', (chunk: Buffer) => this.#onData(chunk));
    stream.on('trailers', (_trailers, _flags, raw) =>
      this.#guarded(() => (this.#requestTrailers = parseStreamTrailers(raw))),
    );
    stream.on('end', () => this.#guarded(() => this.#onEnd()));
    stream.on('wantTrailers', () => this.#sendTrailers());
  }

  /** Of the request's body, which have arrived and were not read. */
  get waitingBytes(): number {
    return this.#stream.readableLength;
  }

  /** Before its end, by the visitor, or by the relay or the library for what it sent. Services may break off any number. */
  get wasReset(): boolean {
    return this.#stream.rstCode !== NGHTTP2_NO_ERROR && !this.#isCutByService;
  }

  get isGrpc(): boolean {
    return this.#request !== undefined && isGrpc(this.#request);
  }

  /** Names and values of the request's head, alternately. */
  begin(raw: readonly string[]): void {
    this.#guarded(() => {
      const request = parseStreamRequest(raw, { hasBody: !this.#hasRequestEnded });
      this.#request = request;
      this.#body.priority = readPriority(request.fields);
      this.#recognize(request);
      if (isConnectionBound(request.fields, 'authorization')) return this.#stream.close(NGHTTP2_HTTP_1_1_REQUIRED);
      if (this.#earlyTrailers !== undefined) this.#requestTrailers = parseStreamTrailers(this.#earlyTrailers);
      dispatch(this.#deps, this, request);
      if (this.#hasEndedEarly) this.#onEnd();
    });
  }

  /** Ends what has timed out. */
  sweep(monotonicMs: number): void {
    const before = this.#unsentBytes;
    this.#unsentBytes = this.#body.queuedBytes + this.#stream.bufferSize;
    if (before > 0 && this.#unsentBytes !== before) {
      this.#sinceMs = monotonicMs;
      this.#exchange?.onVisitorProgress();
    }
    const { limits } = this.#deps;
    if (this.#exchange?.isOverdue(monotonicMs, limits) === true) this.#exchange.expire();
    else if (this.#exchange === undefined && monotonicMs - this.#sinceMs > limits.unreadAnswerMs)
      this.#stream.close(NGHTTP2_CANCEL);
  }

  onForwarded({ framing }: RequestHead, exchange: Exchange): void {
    this.#exchange = exchange;
    this.#bytesLeft = framing.type === 'length' ? framing.length : undefined;
  }

  answer(answer: LocalResponse): void {
    const hasBody = this.#request?.method !== 'HEAD' && answer.body.length > 0;
    if (!this.#isOpen) return;
    this.#stream.respond(localResponseFields(answer, this.#deps.date), { endStream: !hasBody });
    if (hasBody) this.#body.write(answer.body);
    this.#finish();
  }

  hold(): void {
    this.#stream.pause();
  }

  onDecided(_request: RequestHead, decide: () => void): void {
    if (!this.#isOpen) return;
    this.#guarded(() => {
      decide();
      if (this.#hasEndedEarly) this.#onEnd();
    });
    this.#stream.resume();
  }

  sendInterim(response: ResponseHead, rules: AnswerRules): boolean {
    if (this.#isOpen) this.#stream.additionalHeaders(interimFields(response, rules));
    return true;
  }

  sendHead(response: ResponseHead, rules: AnswerRules, part: BodyPart): boolean {
    if (!this.#isOpen) return true;
    const { payload, trailers } = part;
    this.#body.priority = readPriority(response.fields, this.#body.priority);
    // Only the end of the body shows whether trailers follow.
    this.#waitsForTrailers = response.framing.type === 'chunked' && trailers?.length !== 0;
    const endStream = trailers !== undefined && payload.length === 0 && !this.#waitsForTrailers;
    this.#stream.respond(answerFields(response, rules, this.#deps.date), {
      endStream,
      waitForTrailers: this.#waitsForTrailers,
    });
    return this.sendBody({ payload, trailers });
  }

  sendBody({ payload, trailers }: BodyPart): boolean {
    if (trailers !== undefined) this.#trailers = trailers;
    // Node has already ended an answer without a body, and a closed stream takes no bytes.
    return payload.length === 0 || !this.#stream.writable || this.#body.write(payload);
  }

  pauseReading(): void {
    this.#stream.pause();
  }

  resumeReading(): void {
    this.#stream.resume();
  }

  onExchangeDone(): void {
    this.#exchange = undefined;
    this.#finish();
  }

  onExchangeFailed(failure: ExchangeFailure): void {
    this.#exchange = undefined;
    this.answer(failureAnswer(this.#deps, this.visitor.origin, this.#request, failure));
  }

  onExchangeCut(): void {
    this.#exchange = undefined;
    this.#isCutByService = true;
    this.#cut();
  }

  /** Several streams share this connection, so a login cannot belong to it; browsers retry over HTTP/1.1. */
  refuseBound(): void {
    this.#abort();
    this.#stream.close(NGHTTP2_HTTP_1_1_REQUIRED);
  }

  #recognize(request: RequestHead): void {
    const peer = this.visitor.origin;
    const origin = this.#deps.proxies.visitorOf(peer, request.fields);
    if (origin !== peer) this.visitor = { origin, forwarded: new ForwardedLines(origin) };
  }

  get #isOpen(): boolean {
    return !this.#stream.closed && !this.#stream.destroyed;
  }

  #onData(chunk: Buffer): void {
    this.#deps.onBody(chunk);
    // Without an exchange these bytes are the rest of a body that is discarded.
    if (this.#exchange !== undefined) this.#guarded(() => this.#takeBody(chunk));
  }

  #takeBody(chunk: Buffer): void {
    if (this.#bytesLeft !== undefined) {
      if (chunk.length > this.#bytesLeft) throw new HttpRefusal('more than its Content-Length');
      this.#bytesLeft -= chunk.length;
    }
    this.#exchange?.takeBody({ payload: chunk, trailers: this.#bytesLeft === 0 ? NO_TRAILERS : undefined });
  }

  #onEnd(): void {
    // A stream that was reset or lost ends, too, but without all of its body.
    if (!this.#isOpen) return this.#abort();
    this.#hasRequestEnded = true;
    if (this.#bytesLeft === undefined)
      this.#exchange?.takeBody({ payload: NO_PAYLOAD, trailers: this.#requestTrailers });
    else if (this.#exchange?.isRequestDone === false) throw new HttpRefusal('less than its Content-Length');
  }

  /** Ends the answer. NO_ERROR asks the visitor to stop sending the request (RFC 9113 §8.1). */
  #finish(): void {
    this.#sinceMs = this.#deps.monotonicMs();
    if (!this.#isOpen) return;
    this.#stream.resume();
    this.#body.end(() => {
      if (!this.#waitsForTrailers) this.#refuseRest();
    });
  }

  #sendTrailers(): void {
    if (!this.#isOpen) return;
    this.#stream.sendTrailers(trailerFields(this.#trailers));
    // Node sends them in a separate turn of the event loop.
    setImmediate(() => this.#refuseRest());
  }

  /** Once the answer has left. */
  #refuseRest(): void {
    if (!this.#hasRequestEnded) this.#stream.close(NGHTTP2_NO_ERROR);
  }

  #abort(): void {
    this.#exchange?.abort();
    this.#exchange = undefined;
  }

  #guarded(task: () => void): void {
    try {
      task();
    } catch (error) {
      if (error instanceof HttpRefusal) this.#onRefusal(error);
      else this.#onBug(error);
    }
  }

  #onRefusal(refusal: HttpRefusal): void {
    const hasAnswerBegun = this.#exchange?.hasAnswerBegun === true || this.#stream.headersSent;
    this.#abort();
    if (hasAnswerBegun) this.#cut();
    else {
      const page = { kind: pageOfRefusal(refusal), cookies: refusal.cookies };
      this.answer(pageFor(this.#deps, this.visitor.origin, this.#request, page));
    }
  }

  /** An error of the relay ends only this stream. */
  #onBug(err: unknown): void {
    this.#deps.log.error({ err, host: this.#request?.host }, 'visitor stream failed');
    this.#abort();
    this.#cut();
  }

  /** With INTERNAL_ERROR, because `close` would end the body first, and it would look complete. */
  #cut(): void {
    this.#stream.destroy(new Error('cut'));
  }
}
