import type { MuxStreamEvents } from '@tongtu/tunnel';
import type { MappingMeter } from '../usage/mapping-meter.ts';
import type { UpstreamEvents, UpstreamFailure, UpstreamStream } from '../upstream/upstream-stream.ts';
import type { OpenVisit } from '../visit-log/open-visit.ts';
import type { WorkConnection } from './coded-connection.ts';

/** frpc closes both directions when one ends: after its end there is nobody to wait for longer. */
const HALF_CLOSED_MS = 10_000;

/** In the visitor log; any other failure is a lost connection. */
const reasons: Partial<Record<UpstreamFailure, string>> = {
  refused: 'target-refused',
  timeout: 'target-timeout',
  revoked: 'revoked',
};

export type SecretVisitDeps = {
  meter: MappingMeter;
  /** For a mapping with a visitor log. */
  record: OpenVisit | undefined;
  idleMs: number;
  monotonicMs: () => number;
};

/** The connection of a stcp visitor, joined with a stream to the stcp proxy: bytes both ways, each side as fast as the other. */
export class SecretVisit implements UpstreamEvents {
  readonly #visitor: WorkConnection;
  readonly #upstream: UpstreamStream;
  readonly #deps: SecretVisitDeps;
  readonly #beganAtMs: number;
  #timer: NodeJS.Timeout;
  #isAnswered = false;
  #isClosed = false;
  /** Written to the other side, which was full. */
  #heldBytes = 0;
  #owedBytes = 0;

  constructor(visitor: WorkConnection, upstream: UpstreamStream, deps: SecretVisitDeps) {
    this.#visitor = visitor;
    this.#upstream = upstream;
    this.#deps = deps;
    this.#beganAtMs = deps.monotonicMs();
    this.#timer = setTimeout(() => this.#cut(), deps.idleMs);
    upstream.events = this;
    visitor.events = this.#visitorEvents;
    deps.meter.begin(upstream.grant);
  }

  onData(chunk: Buffer): void {
    this.#timer.refresh();
    if (!this.#isAnswered) this.#deps.meter.answered(undefined, this.#deps.monotonicMs() - this.#beganAtMs);
    this.#isAnswered = true;
    if (this.#deps.record !== undefined) this.#deps.record.bytesOut += chunk.length;
    if (!this.#visitor.isWritable || this.#visitor.write(chunk)) this.#upstream.consumed(chunk.length);
    else this.#owedBytes += chunk.length;
  }

  onEnd(): void {
    this.#upstream.end();
    if (this.#visitor.isWritable) this.#visitor.end();
    this.#close();
  }

  onFailed(failure: UpstreamFailure): void {
    if (this.#isClosed) return;
    this.#deps.meter.failed();
    this.#deps.record?.end({ outcome: 'failed', reason: reasons[failure] ?? 'target-lost' });
    this.#close();
    this.#visitor.reset();
  }

  onDrain(): void {
    this.#timer.refresh();
    const bytes = this.#heldBytes;
    this.#heldBytes = 0;
    if (bytes > 0) this.#visitor.consumed(bytes);
  }

  readonly #visitorEvents: MuxStreamEvents = {
    onData: (chunk) => {
      this.#timer.refresh();
      if (this.#deps.record !== undefined) this.#deps.record.bytesIn += chunk.length;
      if (this.#isClosed || this.#upstream.write(chunk)) this.#visitor.consumed(chunk.length);
      else this.#heldBytes += chunk.length;
    },
    onEnd: () => {
      if (this.#isClosed) return;
      this.#upstream.end();
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#cut(), HALF_CLOSED_MS);
    },
    onReset: () => this.#cut(),
    onDrain: () => {
      this.#timer.refresh();
      const bytes = this.#owedBytes;
      this.#owedBytes = 0;
      if (bytes > 0 && !this.#isClosed) this.#upstream.consumed(bytes);
    },
  };

  #cut(): void {
    if (this.#isClosed) return;
    this.#close();
    this.#upstream.reset();
    this.#visitor.reset();
  }

  #close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#deps.record?.end({ outcome: 'served' });
  }
}
