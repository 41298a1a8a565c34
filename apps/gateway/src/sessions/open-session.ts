import type { Duplex } from 'node:stream';
import type { AppFailure, GatewaySession } from '@tongtu/contract';
import { AppStream } from '../relay/app-stream.ts';
import type { GatewayLimits } from '../config/gateway-limits.ts';
import { IdleClock } from './idle-clock.ts';
import { type LiveSession, SessionEndedError, TargetError } from '../session/live-session.ts';

export type OpenSessionDeps = {
  limits: GatewayLimits;
  monotonicMs: () => number;
  relayPorts: () => readonly number[];
  gatewaySecret: string;
  onHostKey: (fingerprint: string) => void;
  onEnded: (reason: AppFailure) => void;
};

/** A session from the browser's first request to its end. */
export class OpenSession implements LiveSession {
  readonly facts: GatewaySession;
  readonly #deps: OpenSessionDeps;
  readonly #abort = new AbortController();
  readonly #streams = new Set<Duplex>();
  readonly #idle: IdleClock;
  #uses = 0;
  #abandonment: NodeJS.Timeout | undefined;
  #bytesIn = 0;
  #bytesOut = 0;

  constructor(facts: GatewaySession, deps: OpenSessionDeps) {
    this.facts = facts;
    this.#deps = deps;
    const { idleMs, idleWarningMs: warningMs } = deps.limits;
    this.#idle = new IdleClock({ idleMs, warningMs, monotonicMs: deps.monotonicMs }, () => this.end('idle'));
    this.#awaitReturn();
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  openStream(): Duplex {
    this.signal.throwIfAborted();
    const { limits, relayPorts, gatewaySecret } = this.#deps;
    if (this.#streams.size >= limits.maxStreamsPerSession) throw new TargetError('busy');
    const { appId, visitorAddress } = this.facts;
    const stream = new AppStream({
      relayPorts: relayPorts(),
      request: { secret: gatewaySecret, app: appId, address: visitorAddress },
      onBytesToTarget: (count) => (this.#bytesIn += count),
      onBytesFromTarget: (count) => (this.#bytesOut += count),
    });
    this.#streams.add(stream);
    stream.once('close', () => this.#streams.delete(stream));
    return stream;
  }

  touch(): void {
    this.#idle.touch();
  }

  onIdleWarning(listener: (secondsLeft: number) => void): () => void {
    return this.#idle.onWarning(listener);
  }

  /** A request or a WebSocket of the browser. Returns what to call at its end. */
  use(): () => void {
    this.#uses++;
    clearTimeout(this.#abandonment);
    return () => {
      this.#uses--;
      if (this.#uses === 0 && !this.signal.aborted) this.#awaitReturn();
    };
  }

  end(reason: AppFailure): void {
    if (this.signal.aborted) return;
    clearTimeout(this.#abandonment);
    this.#idle[Symbol.dispose]();
    this.#abort.abort(new SessionEndedError(reason));
    for (const stream of this.#streams) stream.destroy();
    this.#deps.onEnded(reason);
  }

  keepHostKey(fingerprint: string): void {
    this.#deps.onHostKey(fingerprint);
  }

  /** The bytes since the last call. */
  takeUsage(): { bytesIn: number; bytesOut: number } {
    const usage = { bytesIn: this.#bytesIn, bytesOut: this.#bytesOut };
    this.#bytesIn = 0;
    this.#bytesOut = 0;
    return usage;
  }

  #awaitReturn(): void {
    this.#abandonment = setTimeout(() => this.end('abandoned'), this.#deps.limits.abandonedMs).unref();
  }
}
