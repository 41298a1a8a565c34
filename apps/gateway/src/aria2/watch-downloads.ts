import { createHash } from 'node:crypto';
import { parseJson } from '@tongtu/base';
import { appFailures, DownloadsFromBrowser, type DownloadsFromGateway } from '@tongtu/contract';
import type { WebSocket } from 'ws';
import type { HeldMemory } from '../budget/session-memory.ts';
import { type LiveSession, SessionEndedError } from '../session/live-session.ts';
import { downloadsOf } from './downloads-of.ts';
import { downloadFailure, failureOf } from './failures.ts';
import type { OpenDownloads } from './open-downloads.ts';
import { readDetails } from './read-details.ts';
import { DownloadsReader } from './read-downloads.ts';
import { DownloadError } from '../errors/download-error.ts';
import type { Aria2Rpc } from './rpc/aria2-rpc.ts';

const NORMAL_CLOSURE = 1000;
const POLICY_VIOLATION = 1008;
const EVERY_MS = 1_000;
/** After a failure. The last one is repeated. */
const RETRY_AFTER_MS = [1_000, 2_000, 5_000, 10_000] as const;
/** Details of so many files are read less often: they are long, and the device's line is often slow. */
const MANY_FILES = 200;
const MANY_FILES_EVERY = 10;
/** Of what the browser has not taken yet. Above it nothing more is read. */
const MAX_UNSENT_BYTES = 1024 * 1024;

/** The WebSocket by which a page sees the downloads (`download-messages.ts` of the contract). */
export function watchDownloads(session: LiveSession, socket: WebSocket, { everyMs = EVERY_MS } = {}): void {
  new DownloadsWatch(session, socket, everyMs).begin();
}

class DownloadsWatch {
  readonly #session: LiveSession;
  readonly #socket: WebSocket;
  readonly #downloads: OpenDownloads;
  readonly #everyMs: number;
  /** Hashes of messages, which may have megabytes. */
  readonly #lastSent = new Map<DownloadsFromGateway['type'], string>();
  /** Names and stopped downloads, which are asked for once: about as much as the message with them. */
  readonly #held: HeldMemory;
  #reader: { rpc: Aria2Rpc; downloads: DownloadsReader } | undefined;
  #isWatching = false;
  #isLooping = false;
  #details: string | null = null;
  #detailsPause = 0;
  #failures = 0;
  /** Ends the wait before the next round. */
  #wake: (() => void) | undefined;

  constructor(session: LiveSession, socket: WebSocket, everyMs: number) {
    this.#session = session;
    this.#socket = socket;
    this.#everyMs = everyMs;
    this.#downloads = downloadsOf(session);
    this.#held = session.memory.hold(0);
  }

  begin(): void {
    const { signal } = this.#session;
    const onAbort = (): void => {
      this.#send({ type: 'failed', reason: signal.reason instanceof SessionEndedError ? signal.reason.code : 'lost' });
      this.#socket.close(NORMAL_CLOSURE);
    };
    const stopWarnings = this.#session.onIdleWarning((seconds) => {
      this.#lastSent.delete('idle_warning'); // it may warn twice of the same time
      this.#send({ type: 'idle_warning', seconds });
    });
    this.#socket.on('message', (data: Buffer) => this.#receive(data));
    this.#socket.on('error', () => {}); // "close" follows
    this.#socket.once('close', () => {
      signal.removeEventListener('abort', onAbort);
      stopWarnings();
      this.#rest();
      this.#held[Symbol.dispose]();
    });
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  }

  #receive(data: Buffer): void {
    const { data: message } = DownloadsFromBrowser.safeParse(parseJson(data.toString()));
    if (message === undefined) return this.#socket.close(POLICY_VIOLATION);
    this.#session.touch();
    switch (message.type) {
      case 'stay':
        return;
      case 'rest':
        return this.#rest();
      case 'watch':
        if (message.details !== this.#details) this.#lastSent.delete('details');
        this.#lastSent.delete('details_failed');
        this.#details = message.details;
        this.#detailsPause = 0;
        this.#isWatching = true;
        this.#wake?.();
        if (!this.#isLooping) void this.#loop();
    }
  }

  #rest(): void {
    this.#isWatching = false;
    this.#wake?.();
  }

  async #loop(): Promise<void> {
    this.#isLooping = true;
    while (this.#canGoOn()) {
      if (this.#socket.bufferedAmount < MAX_UNSENT_BYTES) await this.#round();
      if (this.#canGoOn()) await this.#wait(this.#pauseMs());
    }
    this.#isLooping = false;
  }

  #canGoOn(): boolean {
    return this.#isWatching && this.#socket.readyState === this.#socket.OPEN;
  }

  #pauseMs(): number {
    if (this.#failures === 0) return this.#everyMs;
    return RETRY_AFTER_MS[Math.min(this.#failures, RETRY_AFTER_MS.length) - 1] ?? this.#everyMs;
  }

  async #wait(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#wake = resolve;
    await promise;
    this.#wake = undefined;
    clearTimeout(timer);
  }

  async #round(): Promise<void> {
    try {
      await this.#downloads.use(async (rpc) => {
        await this.#readList(rpc);
        await this.#readDetails(rpc);
      });
      this.#failures = 0;
      this.#lastSent.delete('target_failed');
    } catch (error) {
      this.#fail(error);
    }
  }

  async #readList(rpc: Aria2Rpc): Promise<void> {
    if (this.#reader?.rpc !== rpc) this.#reader = { rpc, downloads: new DownloadsReader(rpc) };
    const { downloads, downloadSpeed, uploadSpeed, leftOut } = await this.#reader.downloads.read();
    const speeds = { download_speed: downloadSpeed, upload_speed: uploadSpeed };
    this.#send({ type: 'downloads', ...speeds, downloads, left_out: leftOut });
  }

  async #readDetails(rpc: Aria2Rpc): Promise<void> {
    const id = this.#details;
    if (id === null || this.#detailsPause-- > 0) return;
    try {
      const details = await readDetails(rpc, id);
      this.#detailsPause = details.file_count > MANY_FILES ? MANY_FILES_EVERY : 0;
      if (this.#details === id) this.#send({ type: 'details', details });
    } catch (error) {
      if (!(error instanceof DownloadError)) throw error;
      this.#send({ type: 'details_failed', id, detail: downloadFailure(error).zh });
    }
  }

  #fail(error: unknown): void {
    if (this.#session.signal.aborted) return;
    this.#failures += 1;
    // What nobody expected was caused by what the target has sent.
    const failure = failureOf(error) ?? { code: 'target.protocol', ...appFailures.protocol };
    const { code } = failure;
    // What only the user can mend is not tried again before the page asks for it.
    const needsUser = /^(login\.|target\.(login-failed|host-key-changed)$)/.test(code);
    if (needsUser) this.#isWatching = false;
    this.#lastSent.delete('downloads'); // the page learns from the next list that it is over
    this.#send({ type: 'target_failed', code, detail: failure.zh });
  }

  /** What the browser has already is not sent again. */
  #send(message: DownloadsFromGateway): void {
    const text = JSON.stringify(message);
    const hash = createHash('sha256').update(text).digest('base64');
    if (this.#lastSent.get(message.type) === hash || this.#socket.readyState !== this.#socket.OPEN) return;
    if (message.type === 'downloads') this.#held.resize(2 * text.length);
    this.#lastSent.set(message.type, hash);
    this.#socket.send(text, () => {}); // the browser may have left
  }
}
