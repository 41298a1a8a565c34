import type { MuxStreamEvents, OpenRequest } from '@tongtu/tunnel';
import type { Resolver } from './resolve-target.ts';

/** One stream of the relay and its connection to the target. */
export type Forward = MuxStreamEvents & {
  /** Ends both sides at once. */
  abort(): void;
  /** The list of allowed targets has changed. */
  recheck(): void;
};

export type ForwardDeps = {
  resolver: Resolver;
  isAllowed: (request: OpenRequest) => boolean;
  /** Called once, when both sides are closed. */
  onDone: () => void;
};
