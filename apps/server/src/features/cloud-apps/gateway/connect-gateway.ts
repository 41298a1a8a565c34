import type { AppFailure, GatewayToServer, ServerToGateway } from '@tongtu/contract';
import type { Logger } from 'pino';
import type { Db } from '../../../db/driver.ts';
import { hashSecret } from '../../../hash-secret.ts';
import { runEvery } from '../../../jobs/run-every.ts';
import { announceAppSessions, announceCloudApps } from '../../live/index.ts';
import { unsealSecrets } from '../app-secrets.ts';
import { endAppSession, storeKept } from '../sessions/app-session-store.ts';
import { usersOf } from '../sessions/end-app-sessions.ts';
import {
  addAppUsage,
  endForbiddenSessions,
  findGatewaySession,
  type GatewaySessionRow,
  storeHostKey,
  type StoredUsage,
} from './gateway-store.ts';

export type GatewayDeps = { db: Db; sealingKey: Buffer; log: Logger };

/** The server's side of a gateway process. */
export type GatewayLink = AsyncDisposable & {
  onMessage(message: GatewayToServer): void;
};

type Message<Type extends GatewayToServer['type']> = Extract<GatewayToServer, { type: Type }>;
type OpenResult = Extract<ServerToGateway, { type: 'open_result' }>['result'];

/** A lost right ends a session within a second. */
const CHECK_EVERY_MS = 500;
/** Requests with any cookie make the gateway ask, so the questions must not take all connections to the database. */
const MAX_OPENING = 200;
const OPENED_AT_ONCE = 3;

/** Answers a gateway process, and ends its sessions when they must not go on. */
export function connectGateway(
  deps: GatewayDeps,
  send: (message: ServerToGateway) => void,
  { checkEveryMs = CHECK_EVERY_MS }: { checkEveryMs?: number } = {},
): GatewayLink {
  return new Link(deps, send, checkEveryMs);
}

class Link implements GatewayLink {
  readonly #deps: GatewayDeps;
  readonly #deliver: (message: ServerToGateway) => void;
  /** The sessions that the gateway has. */
  readonly #open = new Set<number>();
  /** Bytes that are not stored yet, by session. */
  #usage = new Map<number, StoredUsage>();
  readonly #kept = new Map<number, Message<'kept'>>();
  #isStoringKept = false;
  readonly #waiting: Message<'open'>[] = [];
  #opening = 0;
  readonly #tasks = new Set<Promise<void>>();
  readonly #checks: AsyncDisposable;
  #hasFailed = false;
  #isDisposed = false;

  constructor(deps: GatewayDeps, send: (message: ServerToGateway) => void, everyMs: number) {
    this.#deps = deps;
    this.#deliver = send;
    this.#checks = runEvery(
      { name: 'check app sessions', everyMs, run: async () => await this.#checkAndReport() },
      deps.log,
    );
  }

  onMessage(message: GatewayToServer): void {
    if (this.#isDisposed) return;
    switch (message.type) {
      case 'open':
        return this.#queue(message);
      case 'host_key':
        return this.#start(this.#keepHostKey(message), 'a host key could not be stored');
      case 'kept':
        return this.#addKept(message);
      case 'usage':
        return this.#addUsage(message);
      case 'ended':
        this.#open.delete(message.sessionId);
        return this.#start(this.#end(message), 'the end of an app session could not be stored');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    this.#waiting.length = 0;
    await this.#checks[Symbol.asyncDispose]();
    await Promise.all(this.#tasks);
    await this.#storeUsage().catch((err: unknown) =>
      this.#report(err, 'the usage of app sessions could not be stored'),
    );
  }

  #queue(message: Message<'open'>): void {
    if (this.#waiting.length >= MAX_OPENING) return this.#answer(message, { ok: false, reason: 'busy' });
    this.#waiting.push(message);
    if (this.#opening < OPENED_AT_ONCE) this.#start(this.#answerWaiting(), 'app sessions could not be opened');
  }

  async #answerWaiting(): Promise<void> {
    this.#opening++;
    for (let message = this.#waiting.shift(); message; message = this.#waiting.shift()) {
      let result: OpenResult;
      try {
        result = await this.#decide(message);
      } catch (err) {
        this.#report(err, 'an app session could not be opened');
        result = { ok: false, reason: 'gateway-stopped' };
      }
      this.#answer(message, result);
    }
    this.#opening--;
  }

  async #decide({ sessionId, token }: Message<'open'>): Promise<OpenResult> {
    const { db, sealingKey } = this.#deps;
    const found = await findGatewaySession(db, { id: sessionId, tokenHash: hashSecret(token) });
    if (!found) return { ok: false, reason: null };
    if (found.reason !== null) {
      // Its right may have ended before the gateway had it: then it is marked here.
      await this.#end({ sessionId, reason: found.reason });
      return { ok: false, reason: found.reason };
    }
    const session = gatewaySession(sealingKey, sessionId, found.session);
    // From now on the checks end it, also if that became necessary since the query.
    this.#open.add(sessionId);
    return { ok: true, session };
  }

  #answer({ correlation }: Message<'open'>, result: OpenResult): void {
    this.#send({ type: 'open_result', correlation, result });
  }

  async #keepHostKey(message: Message<'host_key'>): Promise<void> {
    const { db } = this.#deps;
    await db.transaction().execute(async (tx) => {
      const stored = await storeHostKey(tx, message);
      if (stored) await announceCloudApps(tx, [stored.ownerId]);
    });
  }

  /** One after the other: of two for the same session the last one counts. */
  #addKept(message: Message<'kept'>): void {
    this.#kept.set(message.sessionId, message);
    if (!this.#isStoringKept) this.#start(this.#storeAllKept(), 'how long app sessions run on could not be stored');
  }

  async #storeAllKept(): Promise<void> {
    this.#isStoringKept = true;
    try {
      for (const [sessionId, message] of this.#kept) {
        this.#kept.delete(sessionId);
        await this.#keep(message);
      }
    } finally {
      this.#isStoringKept = false;
    }
  }

  async #keep(message: Message<'kept'>): Promise<void> {
    const { db } = this.#deps;
    await db.transaction().execute(async (tx) => {
      const kept = await storeKept(tx, message);
      if (kept) await announceAppSessions(tx, usersOf([kept]));
    });
  }

  #addUsage({ sessions }: Message<'usage'>): void {
    for (const entry of sessions) addTo(this.#usage, entry);
    this.#start(this.#storeUsage(), 'the usage of app sessions could not be stored');
  }

  /** What could not be stored is stored with the next bytes, or with the end of this link. */
  async #storeUsage(): Promise<void> {
    if (this.#usage.size === 0) return;
    const storing = this.#usage;
    this.#usage = new Map();
    try {
      await addAppUsage(this.#deps.db, [...storing.values()]);
    } catch (error) {
      for (const entry of storing.values()) addTo(this.#usage, entry);
      throw error;
    }
  }

  async #end({ sessionId: id, reason }: { sessionId: number; reason: AppFailure }): Promise<void> {
    await this.#deps.db.transaction().execute(async (tx) => {
      const ended = await endAppSession(tx, { id, reason });
      if (ended) await announceAppSessions(tx, usersOf([ended]));
    });
  }

  /** Sessions go on while the database does not answer, like visits. It is logged once. */
  async #checkAndReport(): Promise<void> {
    try {
      await this.#check();
      this.#hasFailed = false;
    } catch (err) {
      if (!this.#hasFailed) this.#report(err, 'app sessions could not be checked');
      this.#hasFailed = true;
    }
  }

  async #check(): Promise<void> {
    if (this.#open.size === 0) return;
    const { db } = this.#deps;
    const { ended, users } = await endForbiddenSessions(db, [...this.#open]);
    for (const { id: sessionId, reason } of ended) {
      // The gateway may have ended it meanwhile.
      if (this.#open.delete(sessionId)) this.#send({ type: 'end', sessionId, reason });
    }
    if (users.length > 0) await announceAppSessions(db, usersOf(users));
  }

  #send(message: ServerToGateway): void {
    if (!this.#isDisposed) this.#deliver(message);
  }

  #start(task: Promise<void>, failure: string): void {
    const ended = task
      .catch((err: unknown) => this.#report(err, failure))
      .finally(() => {
        this.#tasks.delete(ended);
      });
    this.#tasks.add(ended);
  }

  #report(err: unknown, text: string): void {
    this.#deps.log.error({ err }, text);
  }
}

function addTo(usage: Map<number, StoredUsage>, { sessionId, bytesIn, bytesOut }: StoredUsage): void {
  const before = usage.get(sessionId);
  usage.set(sessionId, {
    sessionId,
    bytesIn: (before?.bytesIn ?? 0) + bytesIn,
    bytesOut: (before?.bytesOut ?? 0) + bytesOut,
  });
}

function gatewaySession(
  sealingKey: Buffer,
  sessionId: number,
  { appId, kind, targetHost: host, targetPort: port, options, secretsSealed, hostKey, ip, ...users }: GatewaySessionRow,
) {
  const { password, private_key: privateKey, passphrase } = unsealSecrets(sealingKey, appId, secretsSealed);
  const secrets = {
    ...(password !== undefined && { password }),
    ...(privateKey !== undefined && { privateKey }),
    ...(passphrase !== undefined && { passphrase }),
  };
  const { accountId, ownerId } = users;
  const isOwner = accountId === ownerId;
  return {
    sessionId,
    appId,
    kind,
    host,
    port,
    options,
    secrets,
    hostKey,
    accountId,
    ownerId,
    isOwner,
    visitorAddress: ip,
  };
}
