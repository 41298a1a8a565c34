import type { Duplex } from 'node:stream';
import type { AppFailure, GatewaySession } from '@tongtu/contract';
import type { SessionMemory } from '../budget/session-memory.ts';
import type { ReaderKind } from '../parsing/parse-messages.ts';
import type { RemoteReader } from '../parsing/parse-threads.ts';
export { NoCommonAlgorithmError, TargetError } from '../errors/target-error.ts';

/** What the protocols get of an open session. */
export type LiveSession = {
  readonly facts: GatewaySession;
  /** What the target makes us hold is held here first. */
  readonly memory: SessionMemory;
  /** Reads what the target sends in a thread, because it may be long. */
  openReader<Part, End>(kind: ReaderKind, options?: unknown): RemoteReader<Part, End>;
  /** A new connection to the target, through the device. It fails with a TargetError. */
  openStream(): Duplex;
  /** Aborted when the session ends, for whatever reason; its reason is a SessionEndedError. */
  readonly signal: AbortSignal;
  /** The user has done something: the idle end starts anew. */
  touch(): void;
  /** Called some time before the idle end. Returns the way to unsubscribe. */
  onIdleWarning(listener: (secondsLeft: number) => void): () => void;
  end(reason: AppFailure): void;
  /** Whether the session goes on for some minutes when its page is closed, and not only long enough to load it again. */
  keepWithoutPage(isKept: boolean): void;
  /** Stores the host key for everybody. For `keepHostKey` of host-keys.ts alone, which knows who may. */
  keepHostKey(fingerprint: string): void;
};

/** The session has ended. */
export class SessionEndedError extends Error {
  override readonly name = 'SessionEndedError';
  readonly code: AppFailure;
  constructor(code: AppFailure) {
    super(code);
    this.code = code;
  }
}
