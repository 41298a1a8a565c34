import type { Socket } from 'node:net';
import type { BodyPart } from '../../codecs/http/body-part.ts';
import { ForwardedLines } from '../../codecs/http/forwarded.ts';
import { isBodyless, NO_BODY } from '../../codecs/http/framing.ts';
import type { BodyReader } from '../../codecs/http1/body-reader.ts';
import { createBodyReader } from '../../codecs/http1/create-body-reader.ts';
import { chunkedBytes } from '../../codecs/http1/chunked-bytes.ts';
import { HeadReader } from '../../codecs/http1/head-reader.ts';
import { HttpRefusal } from '../../codecs/http/http-refusal.ts';
import { parseRequestHead } from '../../codecs/http1/parse-request-head.ts';
import type { CookieHead } from '../../codecs/http/planted-cookies.ts';
import type { RequestHead } from '../../codecs/http/request-head.ts';
import type { AnswerRules } from '../../codecs/http/response-fields.ts';
import type { ResponseHead } from '../../codecs/http/response-head.ts';
import { writeResponseHead } from '../../codecs/http1/write-head.ts';
import { writeLocalResponse } from '../../codecs/http1/write-local-response.ts';
import type { LocalResponse } from '../../codecs/http/local-response.ts';
import type { PageKind } from '../../pages/page-texts.ts';
import { BoundStream } from '../exchange/bound-stream.ts';
import { dispatch, failureAnswer, pageFor, type Requester } from '../routing/dispatch.ts';
import type { DedicatedConnection, Exchange } from '../exchange/exchange.ts';
import { HeldInput } from './held-input.ts';
import type { ExchangeFailure } from '../exchange/page-of-failure.ts';
import { pageOfRefusal } from '../routing/page-of-refusal.ts';
import type { UpstreamStream } from '../../upstream/upstream-stream.ts';
import type { VisitorDeps } from '../routing/visitor-deps.ts';
import type { Visitor, VisitorOrigin } from '../routing/visitor-origin.ts';
import { VisitorSocket } from '../../net/visitor-socket.ts';

/**
 * head: waiting for or reading a request · body: passing on its body · answer: waiting for the rest of the answer ·
 * switched: bytes of another protocol · drain: the visitor must read before the next request · closing: only waiting for the end.
 */
type Phase = 'head' | 'body' | 'answer' | 'switched' | 'drain' | 'closing';

/**
 * One connection of a visitor: its requests one after another, each parsed, routed and gated by itself.
 * The file is long because it is one state machine: each phase handles every input.
 */
export class VisitorConnection implements Requester, DedicatedConnection {
  readonly connection = this;
  readonly isShared = false;
  /** Of the last request: a proxy forwards requests of many visitors on one connection. */
  visitor: Visitor;
  readonly #peer: VisitorOrigin;
  readonly #deps: VisitorDeps;
  readonly #socket: VisitorSocket;
  readonly #reader = new HeadReader();
  readonly #held: HeldInput;
  readonly #bound = new BoundStream();
  #phase: Phase = 'head';
  #sinceMs: number;
  /** Until when a visitor that keeps sending after the last answer is read. */
  #lingerUntilMs = 0;
  #request: RequestHead | undefined;
  #exchange: Exchange | undefined;
  /** Reads the body of the request. */
  #body: BodyReader = createBodyReader(NO_BODY);
  /** The framing of the answer that is being sent. */
  #isAnswerChunked = false;
  /** Whether the visitor can see by the framing that the answer is incomplete. */
  #isAnswerFramed = false;
  #keepAlive = false;
  /** Since when the visitor sends no more. */
  #inputEndedMs: number | undefined;
  /** At the last sweep. */
  #unsentBytes = 0;

  constructor(socket: Socket, origin: VisitorOrigin, deps: VisitorDeps) {
    this.visitor = { origin, forwarded: new ForwardedLines(origin) };
    this.#peer = origin;
    this.#deps = deps;
    this.#sinceMs = deps.monotonicMs();
    this.#held = new HeldInput();
    this.#socket = new VisitorSocket(socket, {
      onData: (chunk) => this.#process(chunk),
      onEnd: () => this.#onInputEnd(),
      onDrain: () => this.#onDrain(),
      onClose: () => this.#onClose(),
    });
  }

  get isIdle(): boolean {
    if (this.#phase === 'closing') return this.#socket.unsentBytes === 0;
    return this.#phase === 'head';
  }

  /** A stop has begun: open requests may finish. */
  drain(): void {
    if (this.isIdle) this.#socket.destroy();
  }

  /** Ends what has timed out. One timer calls it for all connections. */
  sweep(monotonicMs: number): void {
    const { limits } = this.#deps;
    if (this.#isTakingBytes()) {
      this.#exchange?.onVisitorProgress();
      if (this.#phase === 'drain' || this.#phase === 'closing') this.#sinceMs = monotonicMs;
    }
    const phaseMs = monotonicMs - this.#sinceMs;
    if (this.#phase === 'head') {
      if (this.#reader.hasBegun && phaseMs > limits.headTimeoutMs) this.#refuse('request-timeout');
      else if (phaseMs > limits.keepAliveIdleMs) this.#socket.destroy();
    } else if (this.#phase === 'drain') {
      if (phaseMs > limits.unreadAnswerMs) this.#socket.destroy();
    } else if (this.#phase === 'closing') {
      if (phaseMs > (this.#unsentBytes > 0 ? limits.unreadAnswerMs : limits.lingerMs)) this.#socket.destroy();
    } else if (this.#hasLeft(monotonicMs) && this.#isForVisitorAlone()) {
      this.#socket.cut();
    } else if (this.#exchange?.isOverdue(monotonicMs, limits) === true) {
      this.#exchange.expire();
    }
  }

  /** An answer, or a WebSocket, which ends both ways at once (RFC 6455, 7.1.1). Other protocols may go on in one direction. */
  #isForVisitorAlone(): boolean {
    if (this.#phase === 'switched') return this.#request?.upgrade?.toLowerCase() === 'websocket';
    return this.#phase === 'answer';
  }

  /** Whether a half-closed visitor has waited in silence for so long that it counts as disconnected. */
  #hasLeft(monotonicMs: number): boolean {
    // Unsent bytes will show it: a visitor that has left answers with a reset.
    if (this.#inputEndedMs === undefined || this.#unsentBytes > 0) return false;
    const silentSinceMs = Math.max(this.#inputEndedMs, this.#exchange?.lastActiveMs ?? this.#sinceMs);
    return monotonicMs - silentSinceMs > this.#deps.limits.halfClosedSilenceMs;
  }

  /** Whether a slow visitor is still accepting bytes: then the timeout does not run. */
  #isTakingBytes(): boolean {
    const before = this.#unsentBytes;
    this.#unsentBytes = this.#socket.unsentBytes;
    return before > 0 && this.#unsentBytes !== before;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  sendInterim(response: ResponseHead, rules: AnswerRules): boolean {
    const rewrite = { rules, isUnchunked: false, connection: undefined, date: this.#deps.date };
    return this.#socket.send(Buffer.from(writeResponseHead(response, rewrite), 'latin1'));
  }

  sendHead(response: ResponseHead, rules: AnswerRules, part: BodyPart): boolean {
    const { framing, status } = response;
    const isOld = this.#request?.version === 10;
    const isUnchunked = framing.type === 'chunked' && isOld;
    this.#isAnswerChunked = framing.type === 'chunked' && !isOld;
    const isEndKnown = framing.type !== 'until-close' && !isUnchunked;
    this.#isAnswerFramed = isEndKnown && status !== 101;
    const keepAlive = status === 101 || (isEndKnown && this.#keepsAlive(this.#exchange?.isRequestDone === true));
    this.#keepAlive = keepAlive && status !== 101;
    const goesOn = isOld ? ('keep-alive' as const) : undefined;
    const rewrite = { rules, isUnchunked, connection: keepAlive ? goesOn : ('close' as const), date: this.#deps.date };
    return this.#socket.sendHead(writeResponseHead(response, rewrite), this.#encode(part));
  }

  sendBody(part: BodyPart): boolean {
    const bytes = this.#encode(part);
    return bytes.length === 0 || this.#socket.send(bytes);
  }

  pauseReading(): void {
    this.#socket.pause();
  }

  resumeReading(): void {
    if (!this.#held.isFull) this.#socket.resume();
  }

  endSending(): void {
    this.#socket.end();
  }

  onForwarded(request: RequestHead, exchange: Exchange): void {
    this.#exchange = exchange;
    this.#body = createBodyReader(request.framing);
    this.#enter(exchange.isRequestDone ? 'answer' : 'body');
  }

  answer(answer: LocalResponse): void {
    this.#send(answer, { canKeepAlive: this.#isBodyless });
  }

  hold(): void {
    this.#enter('answer');
  }

  onDecided(request: RequestHead, decide: () => void): void {
    if (!this.#isWaitingFor(request)) return;
    try {
      decide();
    } catch (error) {
      return this.#onBug(error);
    }
    if (this.#exchange !== undefined) this.#takeHeldBody();
    else if (!this.#isWaitingFor(request)) this.#goOn(); // unless it is held again
  }

  onSwitched(): void {
    this.#enter('switched');
    this.#socket.resume();
    const held = this.#held.take();
    if (held !== undefined) this.#exchange?.takeSwitched(held);
    if (this.#inputEndedMs !== undefined) this.#exchange?.onVisitorEnd();
  }

  onExchangeDone(): void {
    this.#exchange = undefined;
    // A stop may have begun after the head said that the connection goes on.
    if (this.#keepAlive && !this.#deps.isDraining()) this.#next();
    else this.#close();
  }

  onExchangeFailed(failure: ExchangeFailure): void {
    const canKeepAlive = this.#exchange?.isRequestDone === true;
    this.#exchange = undefined;
    this.#send(failureAnswer(this.#deps, this.visitor.origin, this.#request, failure), { canKeepAlive });
    this.#goOn();
  }

  onExchangeCut({ hasServiceEnded }: { hasServiceEnded: boolean }): void {
    this.#exchange = undefined;
    // Browsers show what has come of such an answer, and a reset could take it back.
    if (this.#isAnswerFramed && hasServiceEnded) this.#close();
    else this.#socket.cut();
  }

  takeBound(host: string, targetKey: string | undefined): UpstreamStream | undefined {
    return this.#bound.take({ host, targetKey });
  }

  keepBound(stream: UpstreamStream, targetKey: string | undefined): void {
    // A proxy's next request may be another visitor's.
    if (this.visitor.origin !== this.#peer) stream.reset();
    else this.#bound.keep(stream, { host: this.#request?.host ?? '', targetKey });
  }

  #recognize(request: RequestHead): void {
    const origin = this.#deps.proxies.visitorOf(this.#peer, request.fields);
    if (origin !== this.visitor.origin) this.visitor = { origin, forwarded: new ForwardedLines(origin) };
  }

  #process(chunk: Buffer): void {
    let at = 0;
    try {
      while (at < chunk.length) at = this.#step(chunk, at);
    } catch (error) {
      if (error instanceof HttpRefusal) this.#onRefusal(error);
      else this.#onBug(error);
    }
  }

  /** Uses some of the chunk and returns where the rest begins. */
  #step(chunk: Buffer, from: number): number {
    switch (this.#phase) {
      case 'head': {
        if (!this.#reader.hasBegun) this.#sinceMs = this.#deps.monotonicMs();
        const head = this.#reader.push(chunk, from);
        if (head === undefined) return chunk.length;
        this.#request = undefined;
        this.#request = parseRequestHead(head.text);
        this.#recognize(this.#request);
        dispatch(this.#deps, this, this.#request);
        return head.end;
      }
      case 'body': {
        if (this.#exchange === undefined) return chunk.length;
        const part = this.#body.take(chunk, from);
        this.#exchange.takeBody(part);
        if (this.#phase === 'body' && this.#body.isDone) this.#enter('answer');
        return part.end;
      }
      case 'switched':
        this.#exchange?.takeSwitched(chunk.subarray(from));
        return chunk.length;
      case 'answer':
      case 'drain':
        this.#held.add(chunk.subarray(from));
        if (this.#held.isFull) this.#socket.pause();
        return chunk.length;
      case 'closing':
        this.#sinceMs = Math.min(this.#deps.monotonicMs(), this.#lingerUntilMs);
        return chunk.length;
    }
  }

  /** Sends a local response. Outside the reading loop the caller must call `#goOn` afterwards. */
  #send(answer: LocalResponse, { canKeepAlive }: { canKeepAlive: boolean }): void {
    const keepAlive = this.#keepsAlive(canKeepAlive);
    this.#socket.send(writeLocalResponse(answer, { request: this.#request, keepAlive, date: this.#deps.date }));
    if (!keepAlive) this.#close();
    else if (this.#socket.mustDrain) this.#enter('drain');
    else this.#enter('head');
  }

  #encode(part: BodyPart): Buffer {
    return this.#isAnswerChunked ? chunkedBytes(part) : part.payload;
  }

  get #isBodyless(): boolean {
    return this.#request !== undefined && isBodyless(this.#request.framing);
  }

  #keepsAlive(canKeepAlive: boolean): boolean {
    return canKeepAlive && this.#request?.wantsKeepAlive === true && !this.#deps.isDraining();
  }

  #refuse(kind: PageKind, cookies?: CookieHead): void {
    this.#request = undefined;
    this.#send(pageFor(this.#deps, this.visitor.origin, undefined, { kind, cookies }), { canKeepAlive: false });
  }

  #onRefusal(refusal: HttpRefusal): void {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    const hasAnswerBegun = exchange?.hasAnswerBegun === true;
    exchange?.abort();
    if (hasAnswerBegun) this.#socket.cut();
    else this.#refuse(pageOfRefusal(refusal), refusal.cookies);
  }

  #isWaitingFor(request: RequestHead): boolean {
    return this.#phase === 'answer' && this.#request === request;
  }

  /** The part of the body that arrived while the request was held. */
  #takeHeldBody(): void {
    if (this.#phase !== 'body') return;
    this.#socket.resume();
    const held = this.#held.take();
    if (held !== undefined) this.#process(held);
    if (this.#phase === 'body' && this.#inputEndedMs !== undefined) this.#onInputEnd();
  }

  #goOn(): void {
    if (this.#phase !== 'closing') this.#next();
  }

  /** An error of the relay ends only this connection. */
  #onBug(err: unknown): void {
    this.#deps.log.error({ err, host: this.#request?.host }, 'visitor connection failed');
    this.#socket.destroy();
  }

  /** Begins the next request, whose bytes may already have arrived. */
  #next(): void {
    this.#enter(this.#socket.mustDrain ? 'drain' : 'head');
    if (this.#phase === 'drain') return;
    this.#socket.resume();
    const held = this.#held.take();
    if (held !== undefined) this.#process(held);
    if (this.#inputEndedMs !== undefined) this.#onInputEnd();
  }

  #onDrain(): void {
    this.#exchange?.onVisitorDrain();
    if (this.#phase === 'drain') this.#next();
  }

  #onInputEnd(): void {
    this.#inputEndedMs ??= this.#deps.monotonicMs();
    switch (this.#phase) {
      case 'head':
      case 'closing':
        return this.#close();
      case 'body':
        return this.#socket.destroy();
      case 'switched':
        return this.#exchange?.onVisitorEnd();
      case 'answer':
      case 'drain':
        return;
    }
  }

  /** Reads and discards for a moment, because closing with unread bytes would discard the answer. */
  #close(): void {
    this.#enter('closing');
    this.#lingerUntilMs = this.#sinceMs + this.#deps.limits.maxLingerMs;
    this.#socket.end();
    this.#socket.resume();
  }

  #onClose(): void {
    this.#exchange?.abort();
    this.#exchange = undefined;
    this.#bound.reset();
    this.#deps.onClosed();
  }

  #enter(phase: Phase): void {
    this.#phase = phase;
    this.#sinceMs = this.#deps.monotonicMs();
  }
}
