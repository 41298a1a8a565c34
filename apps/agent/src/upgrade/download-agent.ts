import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { callHttp } from '../net/call-http.ts';

const PACKED_PATH = '/agent/tongtu-agent.mjs.gz';
/** Of servers that have no packed one. */
const PLAIN_PATH = '/agent/tongtu-agent.mjs';
const MAX_AGENT_BYTES = 5_000_000;
/** After so many tries in a row that have brought nothing, the download has failed: the line was cut for two minutes. */
const MAX_FRUITLESS_TRIES = 8;
const MAX_PAUSE_MS = 30_000;

export type DownloadLimits = {
  /** Without a byte for so long, a try ends. */
  silentMs: number;
  pauseMs: number;
  withinMs: number;
};
const defaultLimits: DownloadLimits = { silentMs: 20_000, pauseMs: 2_000, withinMs: 15 * 60_000 };

/**
 * The agent that the server hands out. It takes as long as bytes arrive, goes on where a cut connection has ended, and
 * asks for a packed file. Rejects with the error of the last try, or with Error `status_…`, `too-large` or `too-slow`.
 */
export async function downloadAgent(serverUrl: string, limits: DownloadLimits = defaultLimits): Promise<Buffer> {
  const end = AbortSignal.timeout(limits.withinMs);
  try {
    const packed = await new Download(new URL(PACKED_PATH, serverUrl), limits, end).run();
    if (packed !== undefined) return await promisify(gunzip)(packed, { maxOutputLength: MAX_AGENT_BYTES });
    const plain = await new Download(new URL(PLAIN_PATH, serverUrl), limits, end).run();
    if (plain === undefined) throw new Error('status_404');
    return plain;
  } catch (error) {
    throw end.aborted ? new Error('too-slow', { cause: error }) : error;
  }
}

/** An answer that a later try would get as well. */
class RefusedError extends Error {}

class Download {
  readonly #url: URL;
  readonly #limits: DownloadLimits;
  readonly #end: AbortSignal;
  /** Of the bytes so far; a file that was replaced meanwhile has another one. */
  #etag: string | undefined;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(url: URL, limits: DownloadLimits, end: AbortSignal) {
    this.#url = url;
    this.#limits = limits;
    this.#end = end;
  }

  /** Undefined: the server does not have it. */
  async run(): Promise<Buffer | undefined> {
    for (let fruitless = 0; ;) {
      const before = this.#bytes;
      try {
        return await this.#try();
      } catch (error) {
        if (error instanceof RefusedError || this.#end.aborted) throw error;
        fruitless = this.#bytes > before ? 0 : fruitless + 1;
        if (fruitless >= MAX_FRUITLESS_TRIES) throw error;
      }
      const pauseMs = Math.min(this.#limits.pauseMs * 2 ** fruitless, MAX_PAUSE_MS);
      await delay(pauseMs, undefined, { signal: this.#end });
    }
  }

  async #try(): Promise<Buffer | undefined> {
    // Node.js 20.0 has no AbortSignal.any.
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(new Error('timeout')), this.#limits.silentMs);
    const onEnd = (): void => stop.abort(new Error('timeout'));
    this.#end.addEventListener('abort', onEnd);
    try {
      const { response, status } = await this.#ask(stop.signal);
      if (status === 404) {
        response.destroy();
        return undefined;
      }
      this.#begin(response, status);
      for await (const chunk of response as AsyncIterable<Buffer>) {
        timer.refresh();
        this.#add(chunk);
      }
      return Buffer.concat(this.#chunks);
    } catch (error) {
      throw stop.signal.aborted ? stop.signal.reason : error;
    } finally {
      clearTimeout(timer);
      this.#end.removeEventListener('abort', onEnd);
    }
  }

  async #ask(signal: AbortSignal): Promise<{ response: IncomingMessage; status: number }> {
    const isBegun = this.#bytes > 0 && this.#etag !== undefined;
    const headers = isBegun ? { range: `bytes=${this.#bytes}-`, 'if-range': this.#etag ?? '' } : {};
    return await callHttp(this.#url, { signal, headers });
  }

  /** Checks that the answer goes on with what is there, or begins anew. */
  #begin(response: IncomingMessage, status: number): void {
    const { etag, 'content-range': range } = response.headers;
    if (status === 206 && range?.startsWith(`bytes ${this.#bytes}-`) === true) return;
    if (status !== 200) {
      response.destroy();
      const error = `status_${status}`;
      throw status === 429 || status >= 500 ? new Error(error) : new RefusedError(error);
    }
    this.#etag = etag;
    this.#chunks = [];
    this.#bytes = 0;
  }

  #add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > MAX_AGENT_BYTES) throw new RefusedError('too-large');
    this.#chunks.push(chunk);
  }
}
