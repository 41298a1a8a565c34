import type { Duplex } from 'node:stream';
import type { AppFailure, GatewaySession } from '@tongtu/contract';
import { AppStream } from '../relay/app-stream.ts';
import type { AccountTurn } from '../budget/account-turns.ts';
import type { MemoryBudget } from '../budget/memory-budget.ts';
import { SessionMemory } from '../budget/session-memory.ts';
import { type GatewayLimits, STREAM_BYTES } from '../config/gateway-limits.ts';
import type { ReaderKind } from '../parsing/parse-messages.ts';
import type { ParseThreads, RemoteReader } from '../parsing/parse-threads.ts';
import { IdleClock } from './idle-clock.ts';
import { type LiveSession, SessionEndedError, TargetError } from '../session/live-session.ts';

export type OpenSessionDeps = {
  limits: GatewayLimits;
  monotonicMs: () => number;
  relayPorts: () => readonly number[];
  gatewaySecret: string;
  threads: ParseThreads;
  /** Of this session. */
  budget: MemoryBudget;
  /** Of its account. */
  turn: AccountTurn;
  onHostKey: (fingerprint: string) => void;
  onEnded: (reason: AppFailure) => void;
  /** It goes on without a page for so long, or has one again. */
  onKept: (forMs: number | null) => void;
};

/** A session from the browser's first request to its end. */
export class OpenSession implements LiveSession {
  readonly facts: GatewaySession;
  readonly memory: SessionMemory;
  readonly #deps: OpenSessionDeps;
  readonly #abort = new AbortController();
  readonly #streams = new Set<Duplex>();
  readonly #idle: IdleClock;
  #uses = 0;
  #isKept = false;
  #abandonment: NodeJS.Timeout | undefined;
  #bytesIn = 0;
  #bytesOut = 0;

  constructor(facts: GatewaySession, deps: OpenSessionDeps) {
    this.facts = facts;
    this.memory = new SessionMemory(deps.budget);
    this.#deps = deps;
    const { idleMs, idleWarningMs: warningMs } = deps.limits;
    this.#idle = new IdleClock({ idleMs, warningMs, monotonicMs: deps.monotonicMs }, () => this.end('idle'));
    this.#awaitReturn();
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  openReader<Part, End>(kind: ReaderKind, options?: unknown): RemoteReader<Part, End> {
    return this.#deps.threads.open<Part, End>(kind, this.facts.accountId, options);
  }

  openStream(): Duplex {
    this.signal.throwIfAborted();
    const { limits, relayPorts, gatewaySecret } = this.#deps;
    if (this.#streams.size >= limits.maxStreamsPerSession) throw new TargetError('busy');
    const held = this.memory.hold(STREAM_BYTES);
    const { appId, visitorAddress } = this.facts;
    const stream = new AppStream({
      relayPorts: relayPorts(),
      request: { secret: gatewaySecret, app: appId, address: visitorAddress },
      onBytesToTarget: (count) => (this.#bytesIn += count),
      onBytesFromTarget: (count) => (this.#bytesOut += count),
      turn: this.#deps.turn,
    });
    this.#streams.add(stream);
    stream.once('close', () => {
      this.#streams.delete(stream);
      held[Symbol.dispose]();
    });
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
    if (this.#uses === 1 && this.#isKept) this.#deps.onKept(null);
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

  keepWithoutPage(isKept: boolean): void {
    this.#isKept = isKept;
    if (this.#uses === 0 && !this.signal.aborted) this.#awaitReturn();
  }

  #awaitReturn(): void {
    clearTimeout(this.#abandonment);
    const { abandonedMs, keptMs } = this.#deps.limits;
    const afterMs = this.#isKept ? keptMs : abandonedMs;
    this.#abandonment = setTimeout(() => this.end('abandoned'), afterMs).unref();
    if (!this.#isKept) return;
    this.#idle.touch(); // for as long as is said
    this.#deps.onKept(keptMs);
  }
}
