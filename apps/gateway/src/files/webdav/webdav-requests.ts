import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { AuthType, createClient, type WebDAVClient } from 'webdav';
import type { SessionMemory } from '../../budget/session-memory.ts';
import { type LiveSession, TargetError } from '../../session/live-session.ts';
import { FileError } from '../file-system.ts';
import { answerBody } from './answer-body.ts';
import type { MultistatusEnd, MultistatusPart } from './multistatus-reader.ts';
import { hideLocation, redirectOf } from '../../target-http/redirects.ts';
import { dropBody, readAway } from '../../target-http/ignored-bodies.ts';
import { type TunnelAgents, tunnelAgents } from '../../target-http/tunnel-agents.ts';
import { percentEncoded } from '../../target-http/percent-names.ts';
import { errorOfStatus, webdavError } from './webdav-errors.ts';

export type WebdavTarget = {
  session: LiveSession;
  username: string;
  password: string;
  /** The fingerprint of a certificate that the user has accepted. */
  trustedHostKey?: string | undefined;
};

type Reply = { status: number; body: Readable | null; headers: { get(name: string): string | null } };
type RequestOptions = { headers?: Record<string, string>; data?: Readable | string; signal?: AbortSignal | undefined };

type Sent = RequestOptions & { method: string; url: string; signal: AbortSignal };

/** For an answer to begin, unless the caller has a signal of its own. The body may take as long as it likes. */
const ANSWER_TIMEOUT_MS = 30_000;
/** 10 000 entries have about 8 MB. */
const MAX_LIST_BYTES = 64 * 1024 * 1024;
/** What a page shows. Of all that servers have, Apache would send twice as much, and take five times as long for it. */
const SHOWN = '<resourcetype/><getcontentlength/><getlastmodified/>';
const MAX_REDIRECTS = 5;
/** What the thread holds of an answer at most. */
const READER_BYTES = 3 * 1024 * 1024;

/** Requests to one server, with Basic or Digest, whichever it asks for. */
export class WebdavRequests {
  readonly #session: LiveSession;
  readonly #client: WebDAVClient;
  readonly #agents: TunnelAgents;
  readonly #origin: string;
  #lastFoundAtMs = -Infinity;

  constructor(target: WebdavTarget) {
    const { options, port, ...facts } = target.session.facts;
    const host = facts.host.includes(':') ? `[${facts.host}]` : facts.host;
    this.#origin = `${options.tls ? 'https' : 'http'}://${host}:${port}`;
    this.#session = target.session;
    this.#agents = tunnelAgents(target, forLibrary);
    const { username, password } = target;
    const { httpAgent, httpsAgent } = this.#agents;
    const login = username === '' ? { authType: AuthType.None } : { authType: AuthType.Auto, username, password };
    this.#client = createClient(this.#origin, { ...login, httpAgent, httpsAgent });
  }

  get memory(): SessionMemory {
    return this.#session.memory;
  }

  /** A path as a URL. Not by the library, which gives some names another meaning. */
  urlOf(path: string, { isFolder = false } = {}): string {
    const encoded = path.split('/').map(percentEncoded).join('/');
    return this.#origin + (isFolder && !encoded.endsWith('/') ? `${encoded}/` : encoded);
  }

  async send(method: string, url: string, { signal, ...options }: RequestOptions = {}): Promise<Reply> {
    const timeout = signal === undefined ? new AbortController() : undefined;
    const timer = setTimeout(() => timeout?.abort(new DOMException('no answer', 'TimeoutError')), ANSWER_TIMEOUT_MS);
    try {
      const sentSignal = (signal ?? timeout?.signal) as AbortSignal; // one of the two is there
      const reply = await this.#follow({ ...options, method, url, signal: sentSignal });
      // The library lets a refused digest pass for an answer.
      if (reply.status >= 400) throw errorOfStatus(reply.status);
      if (reply.status >= 300) throw new TargetError('protocol');
      return reply;
    } catch (error) {
      if (timeout?.signal.aborted === true) throw new TargetError('timed-out', { cause: error });
      throw webdavError(error, this.#agents.failure());
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends it again to where the target redirects it. The connections lead to the same target, whatever the URL says. */
  async #follow(first: Sent): Promise<Reply> {
    let sent = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      // The library gives the answer of node-fetch, whose types it narrows.
      const reply = (await this.#client.customRequest('/', sent)) as unknown as Reply;
      const url = redirectOf(reply, sent.url);
      if (url === undefined) return reply;
      const { data, ...rest } = sent;
      if (reply.status === 303) sent = { ...rest, url, method: 'GET' };
      else if (data instanceof Readable) break; // it has been sent
      else sent = { ...sent, url };
    }
    throw new TargetError('protocol');
  }

  /** A request whose answer is of no interest. */
  async run(method: string, url: string, options?: RequestOptions): Promise<void> {
    const { body } = await this.send(method, url, options);
    if (body !== null) readAway(body);
  }

  /** The folder or file itself; undefined if it is not in the answer. */
  async find(url: string, properties = SHOWN): Promise<MultistatusEnd> {
    const answer = this.list(url, { depth: 0, properties });
    for (let next = await answer.next(); ; next = await answer.next()) if (next.done === true) return next.value;
  }

  /** What is in a folder, as it comes, and at the end the folder itself. */
  async *list(
    url: string,
    { depth = 1, properties = SHOWN }: { depth?: 0 | 1; properties?: string } = {},
  ): AsyncGenerator<MultistatusPart, MultistatusEnd> {
    using _held = this.memory.hold(READER_BYTES);
    const reply = await this.send('PROPFIND', url, {
      headers: { accept: 'application/xml', depth: String(depth), 'content-type': 'application/xml; charset=utf-8' },
      data: `<?xml version="1.0"?><propfind xmlns="DAV:"><prop>${properties}</prop></propfind>`,
    });
    if (reply.status !== 207 || reply.body === null) {
      reply.body?.destroy();
      throw new TargetError('protocol');
    }
    using reader = this.#session.openReader<MultistatusPart, MultistatusEnd>('multistatus');
    try {
      for await (const bytes of limited(answerBody(reply.body))) yield* await reader.write(bytes);
      const end = await reader.end();
      this.#lastFoundAtMs = performance.now();
      return end;
    } catch (error) {
      throw webdavError(error, this.#agents.failure());
    }
  }

  /** Whether it has answered a question, and thus taken the login, not longer ago. */
  hasAnsweredWithin(periodMs: number): boolean {
    return performance.now() - this.#lastFoundAtMs < periodMs;
  }

  destroy(): void {
    this.#agents.destroy();
  }
}

/** Of a redirect or a failure the status is enough, and the library shows none of those that it handles itself. */
function forLibrary(answer: IncomingMessage): void {
  hideLocation(answer);
  if ((answer.statusCode ?? 0) >= 300) dropBody(answer);
}

async function* limited(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > MAX_LIST_BYTES) throw new FileError('too-many-entries');
    yield part;
  }
}
