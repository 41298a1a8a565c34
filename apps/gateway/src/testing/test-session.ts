import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { AppFailure, GatewaySession } from '@tongtu/contract';
import { CloudAppOptions } from '@tongtu/contract';
import { MemoryBudget } from '../budget/memory-budget.ts';
import { SessionMemory } from '../budget/session-memory.ts';
import { defaultGatewayLimits } from '../config/gateway-limits.ts';
import { ParseThreads } from '../parsing/parse-threads.ts';
import { type LiveSession, SessionEndedError, TargetError } from '../session/live-session.ts';

export type TestSession = LiveSession & {
  /** What the session was asked for, in order. */
  readonly calls: string[];
  readonly streams: Duplex[];
  warn(secondsLeft: number): void;
};

/** Tests turn the clock on, which a thread knows nothing of: the longest time that a timer takes. */
const threads = new ParseThreads({ maxAnswerMs: 2 ** 31 - 1 });

/** Of a session that may hold so much. */
export function memoryOf(maxBytes: number): SessionMemory {
  return new SessionMemory(new MemoryBudget(maxBytes));
}

type TestFacts = Partial<Omit<GatewaySession, 'options'>> & {
  /** What it may hold; by default as much as in the product. */
  maxHeldBytes?: number;
  options?: Partial<GatewaySession['options']>;
  port: number;
};

/** A session whose target is on this machine, without relay and device between. */
export function createTestSession(
  { maxHeldBytes = defaultGatewayLimits.held.maxBytesPerSession, ...facts }: TestFacts,
  openStream?: () => Duplex,
): TestSession {
  const controller = new AbortController();
  const listeners = new Set<(secondsLeft: number) => void>();
  const calls: string[] = [];
  const streams: Duplex[] = [];
  return {
    facts: {
      sessionId: 1,
      appId: 1,
      kind: 'ssh',
      host: '127.0.0.1',
      secrets: {},
      hostKey: null,
      ...{ accountId: 1, ownerId: 1, isOwner: true },
      visitorAddress: '127.0.0.1',
      ...facts,
      options: CloudAppOptions.parse(facts.options ?? {}),
    },
    memory: memoryOf(maxHeldBytes),
    openReader: (kind, options) => threads.open(kind, facts.accountId ?? 1, options),
    calls,
    streams,
    signal: controller.signal,
    openStream() {
      const stream = openStream?.() ?? new TargetStream(facts.port);
      streams.push(stream);
      return stream;
    },
    touch: () => void calls.push('touch'),
    onIdleWarning(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    warn: (secondsLeft) => listeners.forEach((listener) => listener(secondsLeft)),
    end: (reason: AppFailure) => controller.abort(new SessionEndedError(reason)),
    keepWithoutPage: () => {},
    keepHostKey: (fingerprint) => void calls.push(`keep ${fingerprint}`),
  };
}

/** As streams through a relay: no methods of sockets, and TargetErrors alone. */
class TargetStream extends Duplex {
  readonly #socket: Socket;

  constructor(port: number) {
    super();
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    this.#socket.on('data', (chunk) => this.push(chunk) || this.#socket.pause());
    this.#socket.on('end', () => this.push(null));
    this.#socket.on('close', () => this.destroy());
  }

  override _construct(callback: (error?: Error) => void): void {
    // The base class calls this before the socket exists.
    process.nextTick(() => {
      const refuse = (): void => callback(new TargetError('refused'));
      this.#socket.once('error', refuse);
      this.#socket.once('connect', () => {
        this.#socket.off('error', refuse).on('error', () => this.destroy(new TargetError('lost')));
        callback();
      });
    });
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.#socket.write(chunk, callback);
  }

  override _final(callback: () => void): void {
    this.#socket.end(callback);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#socket.destroy();
    callback(error);
  }
}
