import type { AllowedTarget, MuxStream, MuxStreamEvents } from '@tongtu/tunnel';
import { Forward } from './forward.ts';
import { type Resolver, systemResolver } from './resolve-target.ts';

/** Streams that a relay may have open at the same time; the mux resets any more. */
export const MAX_FORWARDS = 4096;

/** Serves the streams that a relay opens: each one becomes a connection to a LAN service it may reach. */
export class Forwarder {
  readonly #resolver: Resolver;
  readonly #forwards = new Set<Forward>();
  #allowed: ReadonlySet<string> = new Set();

  constructor(resolver: Resolver = systemResolver) {
    this.#resolver = resolver;
  }

  /** Replaces what may be dialled; connections to anything that is no longer on the list end at once. */
  setTargets(targets: readonly AllowedTarget[]): void {
    this.#allowed = new Set(targets.map(keyOf));
    for (const forward of this.#forwards) forward.recheck();
  }

  isAllowed(target: AllowedTarget): boolean {
    return this.#allowed.has(keyOf(target));
  }

  accept(stream: MuxStream): MuxStreamEvents {
    const forward = new Forward(stream, {
      resolver: this.#resolver,
      isAllowed: (target) => this.isAllowed(target),
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
  return `${target.mappingId} ${target.port} ${target.host}`;
}
