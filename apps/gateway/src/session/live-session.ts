import type { Duplex } from 'node:stream';
import type { AppFailure, GatewaySession } from '@tongtu/contract';

/** What the protocols get of an open session. */
export type LiveSession = {
  readonly facts: GatewaySession;
  /** A new connection to the target, through the device. It fails with a TargetError. */
  openStream(): Duplex;
  /** Aborted when the session ends, for whatever reason; its reason is a SessionEndedError. */
  readonly signal: AbortSignal;
  /** The user has done something: the idle end starts anew. */
  touch(): void;
  /** Called some time before the idle end. Returns the way to unsubscribe. */
  onIdleWarning(listener: (secondsLeft: number) => void): () => void;
  end(reason: AppFailure): void;
  /** Stores the host key for everybody. For `keepHostKey` of host-keys.ts alone, which knows who may. */
  keepHostKey(fingerprint: string): void;
};

/** There is no connection to the target (any more). */
export class TargetError extends Error {
  override readonly name = 'TargetError';
  readonly code: AppFailure;
  constructor(code: AppFailure, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

/** The session has ended. */
export class SessionEndedError extends Error {
  override readonly name = 'SessionEndedError';
  readonly code: AppFailure;
  constructor(code: AppFailure) {
    super(code);
    this.code = code;
  }
}
