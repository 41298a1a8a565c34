import type { OpenStatus } from '@tongtu/tunnel';
import type { Grant } from '../access/judge-access.ts';
import type { MappingMeter } from '../usage/mapping-meter.ts';

/** Why there is no upstream to talk to (any more). */
export type UpstreamFailure = Exclude<OpenStatus, 'connected'> | 'lost' | 'busy' | 'revoked';

export type UpstreamEvents = {
  /** The receiver owns the chunk and calls `consumed(chunk.length)` once it has passed it on. */
  onData(chunk: Buffer): void;
  onEnd(): void;
  /** Nothing follows; the stream is already freed. */
  onFailed(failure: UpstreamFailure): void;
  onDrain(): void;
};

/** One connection to a service, through a tunnel or straight: what an exchange talks to. */
export type UpstreamStream = {
  events: UpstreamEvents;
  /** Why its present user may use it. Whoever keeps a stream for the next request of a visitor puts that one's here. */
  grant: Grant | undefined;
  /** It has carried an earlier request, so the service may have closed it in this moment. */
  readonly isReused: boolean;
  /** Queued always; false: wait for `onDrain`. */
  write(chunk: Buffer): boolean;
  end(): void;
  reset(): void;
  consumed(bytes: number): void;
  /** Hands it back for a later request; only between two messages. */
  release(): void;
};

/** `recent`: only one that was idle so shortly that the service has hardly closed it. */
export type ReuseRule = 'any' | 'recent' | 'never';

export type UpstreamPool = {
  readonly meter: MappingMeter;
  /**
   * The stream is cut (`onFailed('revoked')`) as soon as the grant counts no more or the mapping leads elsewhere. Throws
   * UpstreamBusyError when there may be no more streams, VisitorBusyError when this visitor may have no more,
   * GrantEndedError when the grant counts no more already, AgentOutdatedError when the device's agent is too old for
   * this mapping, MuxClosedError when the tunnel is just going.
   */
  take(reuse: ReuseRule, grant: Grant): UpstreamStream;
};

/** What the visitor was let in for has changed or run out meanwhile. */
export class GrantEndedError extends Error {
  override readonly name = 'GrantEndedError';
}

/** The mapping needs what the device's agent has not learnt yet. */
export class AgentOutdatedError extends Error {
  override readonly name = 'AgentOutdatedError';
}

/** The visitor's address has as many streams to this device as one address may. */
export class VisitorBusyError extends Error {
  override readonly name = 'VisitorBusyError';
}

/** As many streams as the limits allow are open already. */
export class UpstreamBusyError extends Error {
  override readonly name = 'UpstreamBusyError';
}
