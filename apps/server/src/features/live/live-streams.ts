import type { ServerResponse } from 'node:http';
import { LiveEvent } from '@tongtu/contract';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Db, OpenDb } from '../../db/driver.ts';
import { parseNotification } from '../../db/parse-notification.ts';
import { listActiveSessions } from './session-store.ts';

type LiveStreamsDeps = { db: Db; listen: OpenDb['listen']; log: Logger };

type Stream = { response: ServerResponse; idHash: Buffer };

/** A notification without a user is for all users. */
const LiveNotification = LiveEvent.extend({ userId: z.number().int().optional() });

const MAX_STREAMS_PER_USER = 20;
const MAX_UNSENT_BYTES = 64 * 1024;
const RETRY_MS = 2_000;
const HEARTBEAT_MS = 15_000;
const SESSION_CHECK_MS = 60_000;

/** The event streams of open consoles at this process. An event names a list that changed, and the console reloads it. */
export class LiveStreams implements AsyncDisposable {
  readonly #deps: LiveStreamsDeps;
  readonly #byUser = new Map<number, Set<Stream>>();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #parts = new AsyncDisposableStack();
  #isStopping = false;

  private constructor(deps: LiveStreamsDeps) {
    this.#deps = deps;
  }

  static async start(deps: LiveStreamsDeps): Promise<LiveStreams> {
    const streams = new LiveStreams(deps);
    // Notifications may have been missed, so all consoles reload everything.
    const onLost = (): void => streams.#sendAllTopics();
    streams.#parts.use(await deps.listen('live', (payload) => streams.#handleNotification(payload), onLost));
    streams.#timers.push(setInterval(() => streams.#sendHeartbeat(), HEARTBEAT_MS));
    const report = (err: unknown): void => deps.log.warn({ err }, 'could not check the sessions of event streams');
    const check = (): void => void streams.closeEndedSessions().catch(report);
    streams.#parts.use(await deps.listen('session_ended', check, check));
    streams.#timers.push(setInterval(check, SESSION_CHECK_MS)); // finds expired sessions
    return streams;
  }

  /** Starts an event stream on a response whose headers are not sent yet. */
  open(response: ServerResponse, session: { userId: number; idHash: Buffer }): void {
    const stream = { response, idHash: session.idHash };
    const streams = this.#byUser.get(session.userId) ?? new Set();
    this.#byUser.set(session.userId, streams.add(stream));
    response.once('close', () => this.#remove(session.userId, stream));
    response.on('error', () => response.destroy()); // the client has disconnected; 'close' follows
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    response.write(`retry: ${RETRY_MS}\n\n`);
    const [oldest] = streams;
    if (streams.size > MAX_STREAMS_PER_USER) oldest?.response.end();
    if (this.#isStopping) response.end();
  }

  /** Ends all streams, so that a stop does not wait for them. Consoles reconnect. */
  endAll(): void {
    this.#isStopping = true;
    for (const { response } of this.#all()) response.end();
  }

  /** Ends the streams of sessions that ended or expired. */
  async closeEndedSessions(): Promise<void> {
    const open = this.#all();
    const active = await listActiveSessions(
      this.#deps.db,
      open.map((stream) => stream.idHash),
    );
    const activeIds = new Set(active.map((idHash) => idHash.toString('hex')));
    for (const { response, idHash } of open) if (!activeIds.has(idHash.toString('hex'))) response.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#parts.disposeAsync();
    this.endAll();
  }

  #handleNotification(payload: string): void {
    const notification = parseNotification(LiveNotification, payload);
    if (!notification) return;
    const receivers = notification.userId === undefined ? this.#all() : (this.#byUser.get(notification.userId) ?? []);
    for (const stream of receivers) sendEvent(stream, notification.topic);
  }

  #sendAllTopics(): void {
    for (const stream of this.#all()) for (const topic of LiveEvent.shape.topic.options) sendEvent(stream, topic);
  }

  #sendHeartbeat(): void {
    for (const stream of this.#all()) write(stream, ':\n\n');
  }

  #all(): Stream[] {
    return [...this.#byUser.values()].flatMap((streams) => [...streams]);
  }

  #remove(userId: number, stream: Stream): void {
    const streams = this.#byUser.get(userId);
    streams?.delete(stream);
    if (streams?.size === 0) this.#byUser.delete(userId);
  }
}

function sendEvent(stream: Stream, topic: LiveEvent['topic']): void {
  write(stream, `data: ${JSON.stringify({ topic })}\n\n`);
}

function write({ response }: Stream, text: string): void {
  // A client that stops reading is disconnected, so its events do not pile up. It reconnects later.
  if (response.writableLength > MAX_UNSENT_BYTES) response.destroy();
  else if (!response.writableEnded) response.write(text);
}
