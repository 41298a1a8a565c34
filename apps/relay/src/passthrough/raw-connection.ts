import type { Socket } from 'node:net';
import type { MappingMeter } from '../usage/mapping-meter.ts';
import type { UpstreamEvents, UpstreamFailure, UpstreamStream } from '../upstream/upstream-stream.ts';
import { pageOfFailure } from '../visitors/exchange/page-of-failure.ts';
import type { OpenVisit } from '../visit-log/open-visit.ts';
import { VisitorSocket } from '../net/visitor-socket.ts';

/** Time for the service's last bytes to reach the visitor before its connection is reset. */
const LAST_WORDS_MS = 500;

export type RawLimits = { rawIdleMs: number; rawHalfClosedMs: number };

export type RawConnectionDeps = {
  meter: MappingMeter;
  /** For a mapping with a visitor log. */
  visit?: OpenVisit | undefined;
  monotonicMs: () => number;
  /** May change the visitor's bytes in place. */
  onVisitorBytes?: (chunk: Buffer) => void;
  /** Sent before the service's first bytes. */
  preface?: Buffer;
  /** Ends a visitor's connection on which the service has sent nothing; absent: it is reset. */
  onUnanswered?: (failure: UpstreamFailure) => void;
  /** Once, when the visitor's socket is closed. */
  onClosed: (connection: RawConnection) => void;
};

/**
 * A visitor's connection and its stream, joined without reading their bytes: for TCP mappings and TLS passthrough. Each
 * side sees the end, the reset and the backpressure of the other.
 */
export class RawConnection implements UpstreamEvents {
  readonly #visitor: VisitorSocket;
  readonly #stream: UpstreamStream;
  readonly #deps: RawConnectionDeps;
  readonly #beganAtMs: number;
  #lastActiveMs: number;
  #isAnswered = false;
  #hasVisitorEnded = false;
  #hasStreamEnded = false;
  /** The stream failed. */
  #isCut = false;
  #unconsumedBytes = 0;
  #lastWords: NodeJS.Timeout | undefined;

  /** The caller may already have written what precedes the visitor's bytes. */
  constructor(socket: Socket, stream: UpstreamStream, deps: RawConnectionDeps) {
    this.#stream = stream;
    this.#deps = deps;
    this.#beganAtMs = deps.monotonicMs();
    this.#lastActiveMs = this.#beganAtMs;
    stream.events = this;
    deps.meter.begin(stream.grant);
    this.#visitor = new VisitorSocket(socket, {
      onData: (chunk) => this.#onVisitorData(chunk),
      onEnd: () => this.#onVisitorEnd(),
      onDrain: () => this.#onVisitorDrain(),
      onClose: () => this.#onVisitorClosed(),
    });
  }

  /** Cuts both sides when nothing has moved for too long. */
  sweep(monotonicMs: number, { rawIdleMs, rawHalfClosedMs }: RawLimits): void {
    const isHalfClosed = this.#hasVisitorEnded || this.#hasStreamEnded;
    if (monotonicMs - this.#lastActiveMs > (isHalfClosed ? rawHalfClosedMs : rawIdleMs)) this.destroy();
  }

  /** Cuts both sides now; `onClosed` follows. */
  destroy(): void {
    if (!this.#isCut) this.#stream.reset();
    this.#isCut = true;
    this.#visitor.cut();
  }

  onData(chunk: Buffer): void {
    const monotonicMs = this.#deps.monotonicMs();
    this.#lastActiveMs = monotonicMs;
    if (this.#deps.visit !== undefined) this.#deps.visit.bytesOut += chunk.length;
    if (!this.#isAnswered) this.#onFirstData(monotonicMs);
    if (this.#visitor.send(chunk)) this.#stream.consumed(chunk.length);
    else this.#unconsumedBytes += chunk.length;
  }

  onEnd(): void {
    this.#hasStreamEnded = true;
    this.#visitor.end();
  }

  onFailed(failure: UpstreamFailure): void {
    if (this.#isCut) return;
    this.#isCut = true;
    this.#deps.meter.failed();
    this.#deps.visit?.end({ outcome: 'failed', reason: pageOfFailure(failure, true) });
    if (!this.#isAnswered && this.#deps.onUnanswered !== undefined) return this.#deps.onUnanswered(failure);
    this.#visitor.pause();
    this.#lastWords = setTimeout(() => this.#visitor.cut(), LAST_WORDS_MS);
    this.#visitor.whenSent(() => this.#visitor.cut());
  }

  onDrain(): void {
    if (!this.#isCut) this.#visitor.resume();
  }

  #onFirstData(monotonicMs: number): void {
    this.#isAnswered = true;
    this.#deps.meter.answered(undefined, monotonicMs - this.#beganAtMs);
    if (this.#deps.preface !== undefined) this.#visitor.send(this.#deps.preface);
  }

  #onVisitorData(chunk: Buffer): void {
    if (this.#isCut) return;
    this.#lastActiveMs = this.#deps.monotonicMs();
    if (this.#deps.visit !== undefined) this.#deps.visit.bytesIn += chunk.length;
    this.#deps.onVisitorBytes?.(chunk);
    if (!this.#stream.write(chunk)) this.#visitor.pause();
  }

  #onVisitorEnd(): void {
    this.#hasVisitorEnded = true;
    if (!this.#isCut) this.#stream.end();
  }

  #onVisitorDrain(): void {
    if (this.#isCut) return;
    this.#lastActiveMs = this.#deps.monotonicMs();
    this.#stream.consumed(this.#unconsumedBytes);
    this.#unconsumedBytes = 0;
  }

  /** Unless both sides have ended, the service must not take the received part for everything. */
  #onVisitorClosed(): void {
    clearTimeout(this.#lastWords);
    if (!this.#isCut && !(this.#hasVisitorEnded && this.#hasStreamEnded)) this.#stream.reset();
    this.#isCut = true;
    this.#deps.visit?.end({ outcome: 'served' });
    this.#deps.onClosed(this);
  }
}
