import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { isBodyless } from '../http1/framing.ts';
import { HeadReader } from '../http1/head-reader.ts';
import { HttpRefusal } from '../http1/http-refusal.ts';
import { parseRequestHead, type RequestHead } from '../http1/request-head.ts';
import { type PageContext, pageResponse } from '../pages/page-response.ts';
import type { PageKind } from '../pages/page-texts.ts';
import type { RelayLimits } from '../relay-config.ts';
import { BoundStream } from './bound-stream.ts';
import { Exchange, type ExchangeVisitor } from './exchange.ts';
import { HeldInput } from './held-input.ts';
import { pageOfFailure } from './page-of-failure.ts';
import type { Answer } from './route-request.ts';
import { type UpstreamFailure, type UpstreamStream, VisitorBusyError } from './upstream-stream.ts';
import type { VisitorOrigin } from './visitor-origin.ts';
import { VisitorSocket } from './visitor-socket.ts';

export type VisitorDeps = {
  now: () => number;
  limits: RelayLimits;
  log: Logger;
  consoleUrl: () => string;
  route: (request: RequestHead, visitor: VisitorOrigin) => Answer;
  isDraining: () => boolean;
  onClosed: (connection: VisitorConnection) => void;
};

/**
 * head: waiting for or reading a request · body: passing on its body · answer: waiting for the rest of the answer ·
 * switched: bytes of another protocol · drain: the visitor must read before the next request · closing: only waiting for the end.
 */
type Phase = 'head' | 'body' | 'answer' | 'switched' | 'drain' | 'closing';

/**
 * One connection of a visitor: its requests one after another, each parsed, routed and gated by itself.
 * Long for a file, because it is one state machine: every input is answered by the phase it meets.
 */
export class VisitorConnection implements ExchangeVisitor {
  readonly facts: VisitorOrigin;
  readonly #deps: VisitorDeps;
  readonly #socket: VisitorSocket;
  readonly #reader = new HeadReader();
  readonly #held: HeldInput;
  readonly #bound = new BoundStream();
  #phase: Phase = 'head';
  #sinceMs: number;
  /** Until when a visitor that goes on sending after the last answer is listened to. */
  #lingerUntilMs = 0;
  #request: RequestHead | undefined;
  #isTenant = false;
  #exchange: Exchange | undefined;
  #hasInputEnded = false;
  /** At the last sweep. */
  #unsentBytes = 0;

  constructor(socket: Socket, origin: VisitorOrigin, deps: VisitorDeps) {
    this.facts = origin;
    this.#deps = deps;
    this.#sinceMs = deps.now();
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
    return this.#phase === 'head' || this.#phase === 'switched';
  }

  get isClosing(): boolean {
    return this.#deps.isDraining();
  }

  /** Ends what has waited too long. Called by one clock for all connections, so that none needs a timer. */
  sweep(nowMs: number): void {
    const { limits } = this.#deps;
    if (this.#isSending()) this.#sinceMs = nowMs;
    const phaseMs = nowMs - this.#sinceMs;
    if (this.#phase === 'head') {
      if (this.#reader.hasBegun && phaseMs > limits.headTimeoutMs) this.#refuse('request-timeout');
      else if (phaseMs > limits.keepAliveIdleMs) this.#socket.destroy();
    } else if (this.#phase === 'drain') {
      if (phaseMs > limits.upstreamIdleMs) this.#socket.destroy();
    } else if (this.#phase === 'closing') {
      if (phaseMs > (this.#unsentBytes > 0 ? limits.upstreamIdleMs : limits.lingerMs)) this.#socket.destroy();
    } else if (this.#exchange?.isOverdue(nowMs, limits) === true) {
      this.#exchange.expire();
    }
  }

  /** Whether a slow visitor is still taking what was sent: then its time does not count. */
  #isSending(): boolean {
    if (this.#phase !== 'drain' && this.#phase !== 'closing') return false;
    const before = this.#unsentBytes;
    this.#unsentBytes = this.#socket.unsentBytes;
    return this.#unsentBytes !== before;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  send(bytes: Buffer): boolean {
    return this.#socket.send(bytes);
  }

  sendHead(text: string, body: Buffer): boolean {
    return this.#socket.sendHead(text, body);
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

  onSwitched(): void {
    this.#enter('switched');
    this.#socket.resume();
    const held = this.#held.take();
    if (held !== undefined) this.#exchange?.takeSwitched(held);
    if (this.#hasInputEnded) this.#exchange?.onVisitorEnd();
  }

  onExchangeDone({ keepAlive }: { keepAlive: boolean }): void {
    this.#exchange = undefined;
    // A stop may have begun after the head said that the connection goes on.
    if (keepAlive && !this.isClosing) this.#next();
    else this.#close();
  }

  onExchangeFailed(failure: UpstreamFailure | 'bad-answer'): void {
    const canKeepAlive = this.#exchange?.isRequestDone === true;
    this.#exchange = undefined;
    this.#answerPage(pageOfFailure(failure, this.#isTenant), { canKeepAlive });
    this.#goOn();
  }

  onExchangeCut(): void {
    this.#exchange = undefined;
    this.#socket.cut();
  }

  keepBound(stream: UpstreamStream): void {
    this.#bound.keep(stream, this.#request?.host ?? '');
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
        if (!this.#reader.hasBegun) this.#sinceMs = this.#deps.now();
        const head = this.#reader.push(chunk, from);
        if (head === undefined) return chunk.length;
        this.#request = undefined;
        this.#begin(parseRequestHead(head.text));
        return head.end;
      }
      case 'body': {
        const end = this.#exchange?.takeBody(chunk, from) ?? chunk.length;
        if (this.#phase === 'body' && this.#exchange?.isRequestDone === true) this.#enter('answer');
        return end;
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
        this.#sinceMs = Math.min(this.#deps.now(), this.#lingerUntilMs);
        return chunk.length;
    }
  }

  #begin(request: RequestHead): void {
    this.#request = request;
    const answer = this.#deps.route(request, this.facts);
    switch (answer.type) {
      case 'forward':
        this.#isTenant = answer.plan.isTenant;
        return this.#forward(request, answer.plan);
      case 'page':
        return this.#answerPage(answer.kind, { ...answer, canKeepAlive: isBodyless(request.framing) });
      case 'later':
        this.#enter('answer');
        void answer.response.then((later) => this.#answerLater(later, request));
    }
  }

  #forward(request: RequestHead, plan: Extract<Answer, { type: 'forward' }>['plan']): void {
    try {
      const bound = this.#bound.take(request.host);
      this.#exchange = new Exchange(this, request, { ...plan, bound }, this.#deps.now);
      this.#enter(this.#exchange.isRequestDone ? 'answer' : 'body');
    } catch (error) {
      // Only the pool throws here: the tunnel went away in this moment, or carries all it may.
      const busy = plan.isTenant ? 'device-busy' : 'console-unavailable';
      const kind = error instanceof VisitorBusyError ? 'too-many-connections' : busy;
      this.#answerPage(kind, { canKeepAlive: isBodyless(request.framing) });
    }
  }

  #answerLater(later: Awaited<Extract<Answer, { type: 'later' }>['response']>, request: RequestHead): void {
    if (this.#phase !== 'answer' || this.#request !== request) return;
    const canKeepAlive = isBodyless(request.framing);
    if (later.type === 'page') this.#answerPage(later.kind, { canKeepAlive });
    else this.#answer(later.write({ request, keepAlive: this.#keepsAlive(canKeepAlive) }), canKeepAlive);
    this.#goOn();
  }

  #answerPage(kind: PageKind, options: { canKeepAlive: boolean; offlineSinceMs?: number | undefined }): void {
    const context: PageContext = {
      request: this.#request,
      visitorAddress: this.facts.address,
      scheme: this.facts.scheme,
      consoleUrl: this.#deps.consoleUrl(),
      keepAlive: this.#keepsAlive(options.canKeepAlive),
      offlineSinceMs: options.offlineSinceMs,
    };
    this.#answer(pageResponse(kind, context), options.canKeepAlive);
  }

  /** Sends an answer of the relay's own. Outside the reading loop `#goOn` is to follow. */
  #answer(response: Buffer, canKeepAlive: boolean): void {
    this.#socket.send(response);
    if (!this.#keepsAlive(canKeepAlive)) this.#close();
    else if (this.#socket.mustDrain) this.#enter('drain');
    else this.#enter('head');
  }

  #keepsAlive(canKeepAlive: boolean): boolean {
    return canKeepAlive && this.#request?.wantsKeepAlive === true && !this.isClosing;
  }

  #refuse(kind: PageKind): void {
    this.#request = undefined;
    this.#answerPage(kind, { canKeepAlive: false });
  }

  #onRefusal(refusal: HttpRefusal): void {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    const hasAnswerBegun = exchange?.hasAnswerBegun === true;
    exchange?.abort();
    if (hasAnswerBegun) this.#socket.cut();
    else if (refusal.status === 431) this.#refuse('head-too-long');
    else this.#refuse(refusal.status === 501 ? 'not-supported' : 'bad-request');
  }

  #goOn(): void {
    if (this.#phase !== 'closing') this.#next();
  }

  /** A mistake of ours ends this connection, and none of the others. */
  #onBug(err: unknown): void {
    this.#deps.log.error({ err, host: this.#request?.host }, 'visitor connection failed');
    this.#socket.destroy();
  }

  /** Turns to the next request, whose bytes may have come already. */
  #next(): void {
    this.#enter(this.#socket.mustDrain ? 'drain' : 'head');
    if (this.#phase === 'drain') return;
    this.#socket.resume();
    const held = this.#held.take();
    if (held !== undefined) this.#process(held);
    if (this.#hasInputEnded) this.#onInputEnd();
  }

  #onDrain(): void {
    this.#exchange?.onVisitorDrain();
    if (this.#phase === 'drain') this.#next();
  }

  #onInputEnd(): void {
    this.#hasInputEnded = true;
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

  /** Reads on for a moment without looking, because closing on unread bytes would take the answer back. */
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
    this.#deps.onClosed(this);
  }

  #enter(phase: Phase): void {
    this.#phase = phase;
    this.#sinceMs = this.#deps.now();
  }
}
