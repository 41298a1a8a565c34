import { createHash, timingSafeEqual } from 'node:crypto';
import type { AppFailure } from '@tongtu/contract';
import { AccountShares } from '../budget/account-shares.ts';
import type { ServerLink } from '../control/server-link.ts';
import { OpenSession, type OpenSessionDeps } from './open-session.ts';

type Entry = { tokenHash: Buffer; session: OpenSession };

/** A session, or why there is none: null where the id or the token is unknown. */
export type FoundSession = { ok: true; session: OpenSession } | { ok: false; reason: AppFailure | null };

export type SessionRegistryDeps = Pick<
  OpenSessionDeps,
  'limits' | 'monotonicMs' | 'relayPorts' | 'gatewaySecret' | 'threads'
> & {
  server: ServerLink;
};

/** The open sessions. The server decides who has one, and may end each at any time. */
export class SessionRegistry implements Disposable {
  readonly #deps: SessionRegistryDeps;
  readonly #entries = new Map<number, Entry>();
  /** Requests of a page arrive together, before the first has opened the session. */
  readonly #opening = new Map<string, Promise<FoundSession>>();
  readonly #shares: AccountShares;
  readonly #reporter: NodeJS.Timeout;

  constructor(deps: SessionRegistryDeps) {
    this.#deps = deps;
    this.#shares = new AccountShares(deps.limits, deps.monotonicMs);
    deps.server.onEnd = ({ sessionId, reason }) => this.#entries.get(sessionId)?.session.end(reason);
    this.#reporter = setInterval(() => this.#report(), deps.limits.usageReportMs).unref();
  }

  async find(sessionId: number, token: string): Promise<FoundSession> {
    const entry = this.#entries.get(sessionId);
    if (entry !== undefined && timingSafeEqual(entry.tokenHash, hashOf(token)))
      return { ok: true, session: entry.session };
    const key = `${sessionId} ${token}`;
    const opening = this.#opening.get(key) ?? this.#open(sessionId, token);
    this.#opening.set(key, opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(key);
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#reporter);
    this.#report();
    for (const { session } of [...this.#entries.values()]) session.end('gateway-stopped');
  }

  async #open(sessionId: number, token: string): Promise<FoundSession> {
    const { server, limits } = this.#deps;
    const result = await server.open(sessionId, token);
    if (!result.ok) return result;
    const known = this.#entries.get(sessionId);
    if (known !== undefined) {
      // Its page was opened anew, and has another token.
      known.tokenHash = hashOf(token);
      return { ok: true, session: known.session };
    }
    if (this.#entries.size >= limits.maxSessions) return { ok: false, reason: 'busy' };
    const { share, end: endShare } = this.#shares.open(result.session);
    const session = new OpenSession(result.session, {
      ...this.#deps,
      ...share,
      onHostKey: (fingerprint) => server.report({ type: 'host_key', sessionId, fingerprint }),
      onKept: (forMs) =>
        server.report({ type: 'kept', sessionId, seconds: forMs === null ? null : Math.round(forMs / 1_000) }),
      onEnded: (reason) => {
        this.#reportUsage([[sessionId, session]]);
        this.#entries.delete(sessionId);
        endShare();
        server.report({ type: 'ended', sessionId, reason });
      },
    });
    this.#entries.set(sessionId, { tokenHash: hashOf(token), session });
    return { ok: true, session };
  }

  #report(): void {
    this.#reportUsage([...this.#entries].map(([sessionId, { session }]) => [sessionId, session]));
  }

  /** Also of silent sessions: the report says that they are still open. */
  #reportUsage(sessions: [number, OpenSession][]): void {
    if (sessions.length === 0) return;
    const usage = sessions.map(([sessionId, session]) => ({ sessionId, ...session.takeUsage() }));
    this.#deps.server.report({ type: 'usage', sessions: usage });
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
