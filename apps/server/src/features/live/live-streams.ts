import type { ServerResponse } from 'node:http';
import { LiveEvent } from '@tongtu/contract';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Db, OpenDb } from '../../db/driver.ts';
import { parseNotification } from '../../db/parse-notification.ts';
import { listLivingSessions } from './session-store.ts';

type LiveStreamsDeps = { db: Db; listen: OpenDb['listen']; log: Logger };

type Stream = { response: ServerResponse; idHash: Buffer };

/** Without a user it is for everybody. */
const Notice = LiveEvent.extend({ userId: z.number().int().optional() });

const MAX_STREAMS_PER_USER = 20;
const MAX_UNSENT_BYTES = 64 * 1024;
const RETRY_MS = 2_000;
const HEARTBEAT_MS = 15_000;
const SESSION_CHECK_MS = 60_000;

/** The open pages of this process: each hears which of its user's lists changed, and reloads that. */
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
    // After a lost connection nobody knows what was missed, so everybody reloads.
    const onLost = (): void => streams.#tellAll();
    streams.#parts.use(await deps.listen('live', (payload) => streams.#notify(payload), onLost));
    streams.#timers.push(setInterval(() => streams.#beat(), HEARTBEAT_MS));
    const report = (err: unknown): void => deps.log.warn({ err }, 'could not check the sessions of open pages');
    const check = (): void => void streams.closeEndedSessions().catch(report);
    streams.#parts.use(await deps.listen('session_ended', check, check));
    streams.#timers.push(setInterval(check, SESSION_CHECK_MS)); // those that ran out
    return streams;
  }

  /** Begins the event stream on an answer that nothing was written to. */
  open(response: ServerResponse, session: { userId: number; idHash: Buffer }): void {
    const stream = { response, idHash: session.idHash };
    const streams = this.#byUser.get(session.userId) ?? new Set();
    this.#byUser.set(session.userId, streams.add(stream));
    response.once('close', () => this.#forget(session.userId, stream));
    response.on('error', () => response.destroy()); // the page is gone; 'close' follows
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

  /** Lets every page go, so that nobody waits for streams that have no end; pages come back by themselves. */
  endAll(): void {
    this.#isStopping = true;
    for (const { response } of this.#all()) response.end();
  }

  /** Ends the streams whose sessions were logged out or ran out. */
  async closeEndedSessions(): Promise<void> {
    const open = this.#all();
    const living = await listLivingSessions(
      this.#deps.db,
      open.map((stream) => stream.idHash),
    );
    const livingIds = new Set(living.map((idHash) => idHash.toString('hex')));
    for (const { response, idHash } of open) if (!livingIds.has(idHash.toString('hex'))) response.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#parts.disposeAsync();
    this.endAll();
  }

  #notify(payload: string): void {
    const notice = parseNotification(Notice, payload);
    if (!notice) return;
    const addressed = notice.userId === undefined ? this.#all() : (this.#byUser.get(notice.userId) ?? []);
    for (const stream of addressed) tell(stream, notice.topic);
  }

  #tellAll(): void {
    for (const stream of this.#all()) for (const topic of LiveEvent.shape.topic.options) tell(stream, topic);
  }

  #beat(): void {
    for (const stream of this.#all()) write(stream, ':\n\n');
  }

  #all(): Stream[] {
    return [...this.#byUser.values()].flatMap((streams) => [...streams]);
  }

  #forget(userId: number, stream: Stream): void {
    const streams = this.#byUser.get(userId);
    streams?.delete(stream);
    if (streams?.size === 0) this.#byUser.delete(userId);
  }
}

function tell(stream: Stream, topic: LiveEvent['topic']): void {
  write(stream, `data: ${JSON.stringify({ topic })}\n\n`);
}

function write({ response }: Stream, text: string): void {
  // A page that stopped reading reconnects when it wakes up; until then nothing piles up for it.
  if (response.writableLength > MAX_UNSENT_BYTES) response.destroy();
  else if (!response.writableEnded) response.write(text);
}
