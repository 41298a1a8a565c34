import type { ConnectionOrigin, HttpRules, OpenStatus } from '@tongtu/tunnel';
import type { Grant } from '../access/judge-access.ts';
import type { MappingMeter } from '../usage/mapping-meter.ts';

/** Why there is no upstream to talk to (any more). */
export type UpstreamFailure =
  | Exclude<OpenStatus, 'connected'>
  | 'lost'
  | 'busy'
  | 'visitorBusy'
  | 'agentOutdated'
  | 'revoked'
  | 'noHttp2';

export type UpstreamEvents = {
  /** The receiver owns the chunk and calls `consumed(chunk.length)` once it has passed it on. */
  onData(chunk: Buffer): void;
  onEnd(): void;
  /** Nothing follows; the stream is already freed. */
  onFailed(failure: UpstreamFailure): void;
  onDrain(): void;
};

export const noUpstreamEvents: UpstreamEvents = { onData() {}, onEnd() {}, onFailed() {}, onDrain() {} };

/** One connection to a service, through a tunnel or straight: what an exchange talks to. */
export type UpstreamStream = {
  events: UpstreamEvents;
  /** The grant of its present user. For a bound stream, the grant of the visitor's next request. */
  grant: Grant | undefined;
  /** It has carried an earlier request, so the service may just have closed it. */
  readonly isReused: boolean;
  /** Its visitor has as many streams as it may, and this one waits for one of them to end. */
  readonly waitsForTurn?: boolean;
  /** Its device is not reached at present, and may come back: what is written waits. */
  readonly isAway?: boolean;
  /** What was written and has not left yet, because the service, or the way to it, is slower than the visitor. */
  readonly queuedBytes: number;
  /** Queued always; false: wait for `onDrain`. */
  write(chunk: Buffer): boolean;
  end(): void;
  reset(): void;
  consumed(bytes: number): void;
  /** Hands it back for a later request; only between two messages. */
  release(): void;
};

/**
 * Closes a stream on which the service has got whole requests and nothing else. The service sees an end, as from any
 * client that leaves: a reset says that something is missing, and ends programs of Node.js that do not expect it.
 */
export function closeStream(stream: UpstreamStream): void {
  stream.end();
  stream.reset();
}

/** `recent`: only one idle for so short a time that the service has hardly closed it. */
export type ReuseRule = 'any' | 'recent' | 'never';

/** Of a stream to take. */
export type StreamWay = {
  /** The target of the mapping's rules for HTTP. A stream is reused for the same one only. */
  targetKey?: string | undefined;
  /** The name for the TLS handshake with the target, where it is not the target's own; see OpenRequest. */
  tlsName?: string | undefined;
  /** The visitor's connection. One that is reused was opened for another visitor. */
  origin?: ConnectionOrigin | undefined;
  /** Speaks HTTP/2 with the service, on a connection of its own. Read and written like HTTP/1.1. */
  isHttp2?: boolean | undefined;
};

/** Whether a stream that was opened one way can be used for the other. */
export function isSameWay(a: StreamWay, b: StreamWay): boolean {
  return a.targetKey === b.targetKey && a.tlsName === b.tlsName;
}

/** Who waits. Each connection of an address gets its turn after the others. */
export type Waiting = { connection: object; hasBody: boolean };

export type UpstreamPool = {
  readonly meter: MappingMeter;
  /** Of the mapping, as its device says now; undefined: its route says it all. */
  readonly httpRules?: HttpRules | undefined;
  /**
   * The stream is cut (`onFailed('revoked')`) as soon as the grant ends or the mapping leads elsewhere. Throws
   * UpstreamBusyError at the limit of streams, VisitorBusyError at this visitor's limit, GrantEndedError when the grant
   * has already ended, AgentOutdatedError when the device's agent is too old for this mapping, MuxClosedError when the
   * tunnel is closing. With `waiting` a visitor at its limit gets a stream that waits, unless too many do.
   */
  take(reuse: ReuseRule, grant: Grant, way?: StreamWay, waiting?: Waiting): UpstreamStream;
};

/** The visitor's grant has ended. */
export class GrantEndedError extends Error {
  override readonly name = 'GrantEndedError';
}

/** The mapping needs a feature that the device's agent lacks. */
export class AgentOutdatedError extends Error {
  override readonly name = 'AgentOutdatedError';
}

/** The visitor's address has reached its limit of streams to this device. */
export class VisitorBusyError extends Error {
  override readonly name = 'VisitorBusyError';
}

/** The limit of open streams is reached. */
export class UpstreamBusyError extends Error {
  override readonly name = 'UpstreamBusyError';
}
