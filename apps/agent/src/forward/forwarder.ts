import type { AllowedTarget, MuxStream, MuxStreamEvents } from '@tongtu/tunnel';
import type { Forward } from './forward.ts';
import { IncomingStream } from './incoming-stream.ts';
import { type Resolver, systemResolver } from './resolve-target.ts';

/** Streams that a relay may have open at the same time, over all connections. Further ones are reset. */
export const MAX_FORWARDS = 4096;

const noEvents: MuxStreamEvents = { onData() {}, onEnd() {}, onReset() {}, onDrain() {} };

/** Serves the streams that a relay opens: each one becomes a connection or a UDP conversation with a LAN service. */
export class Forwarder {
  readonly #resolver: Resolver;
  readonly #forwards = new Set<Forward>();
  #allowed: ReadonlySet<string> = new Set();

  constructor(resolver: Resolver = systemResolver) {
    this.#resolver = resolver;
  }

  /** Replaces the allowed targets. Connections to removed targets end at once. */
  setTargets(targets: readonly AllowedTarget[]): void {
    this.#allowed = new Set(targets.map(keyOf));
    for (const forward of this.#forwards) forward.recheck();
  }

  isAllowed(target: AllowedTarget): boolean {
    return this.#allowed.has(keyOf(target));
  }

  accept(stream: MuxStream): MuxStreamEvents {
    if (this.#forwards.size >= MAX_FORWARDS) {
      stream.reset();
      return noEvents;
    }
    const forward: Forward = new IncomingStream(stream, {
      resolver: this.#resolver,
      isAllowed: ({ kind, ...target }) => this.isAllowed({ ...target, transport: kind === 'udp' ? 'udp' : 'tcp' }),
      onDone: () => this.#forwards.delete(forward),
    });
    this.#forwards.add(forward);
    return forward;
  }

  get openCount(): number {
    return this.#forwards.size;
  }

  close(): void {
    for (const forward of this.#forwards) forward.abort();
  }
}

function keyOf(target: AllowedTarget): string {
  return `${target.mappingId} ${target.transport} ${target.port} ${target.host}`;
}
