import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { TargetError } from '../../session/live-session.ts';
import { FileError } from '../file-system.ts';
import type { WebdavRequests } from './webdav-requests.ts';

/** How long an upload waits for the rest of its file when the browser's connection is cut. */
const WAITS_FOR_REST_MS = 60_000;
/** Of a server that takes no more bytes. */
const TAKES_NOTHING_MS = 60_000;
/** For the answer to the last byte: some servers then put a large file together. */
const ANSWER_TIMEOUT_MS = 5 * 60_000;

/**
 * A file on its way to the server. WebDAV cannot go on with half a file, so the request stays open between the parts of
 * an upload; when the rest does not come, the server drops all of it.
 */
export class OpenPut {
  offset = 0;
  readonly #body = new PassThrough();
  readonly #aborted = new AbortController();
  readonly #answered: Promise<void>;
  #failure: { error: unknown } | undefined;
  #waiting: NodeJS.Timeout | undefined;

  constructor(requests: WebdavRequests, url: string, total: number | undefined) {
    this.#body.on('error', () => {}); // the request fails with it
    const headers = {
      'content-type': 'application/octet-stream',
      ...(total !== undefined && { 'content-length': String(total) }),
    };
    this.#answered = requests.run('PUT', url, { headers, data: this.#body, signal: this.#aborted.signal });
    this.#answered.catch((error: unknown) => {
      this.#failure ??= { error };
      this.#body.destroy();
    });
  }

  get isEnded(): boolean {
    return this.#failure !== undefined || this.#body.writableEnded || this.#body.destroyed;
  }

  /** Adds what the source has. When the source fails, more can be added for a while. */
  async add(source: AsyncIterable<Uint8Array>): Promise<void> {
    clearTimeout(this.#waiting);
    try {
      for await (const chunk of source) {
        this.#throwFailure();
        this.offset += chunk.length;
        if (!this.#body.write(chunk))
          await this.#within(TAKES_NOTHING_MS, Promise.race([once(this.#body, 'drain'), this.#answered]));
      }
      this.#throwFailure();
    } finally {
      this.#waiting = setTimeout(() => this.drop(), WAITS_FOR_REST_MS).unref();
    }
  }

  async finish(): Promise<void> {
    clearTimeout(this.#waiting);
    this.#body.end();
    await this.#within(ANSWER_TIMEOUT_MS, this.#answered);
  }

  async #within(timeoutMs: number, answer: Promise<unknown>): Promise<void> {
    const timer = setTimeout(() => {
      this.#failure ??= { error: new TargetError('timed-out') };
      this.drop();
    }, timeoutMs);
    try {
      await answer;
    } catch (error) {
      throw this.#failure?.error ?? error;
    } finally {
      clearTimeout(timer);
    }
  }

  drop(): void {
    clearTimeout(this.#waiting);
    this.#aborted.abort();
    this.#body.destroy();
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#body.destroyed) throw new FileError('failed');
  }
}
