import { parseJson } from '@tongtu/base';
import { AgentBootstrap } from '@tongtu/contract/site';
import { PROTOCOL_VERSION } from '@tongtu/tunnel';
import { AgentError } from '../events/agent-error.ts';
import { callHttp, readBody } from '../net/call-http.ts';
import { reasonOf } from '../net/reason-of.ts';

const TIMEOUT_MS = 10_000;
const MAX_RETRY_AFTER_MS = 60_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Where the relay listens and which key it must show. */
export type RelayAddress = { tunnelHost: string; tunnelPort: number; relayPin: string };

/** `upgradeKey` signs newer agents; absent from servers that sign none. */
export type Bootstrap = { relay: RelayAddress; upgradeKey: string | undefined };

type UnreachableDetails = ErrorOptions & { redirectedTo?: string | undefined; retryAfterMs?: number | undefined };

/**
 * The server gave no valid answer; another try may succeed. `message` is a code for the reason: `ECONNREFUSED`,
 * `status_503`, `not-json` …
 */
export class ServerUnreachableError extends Error {
  override readonly name = 'ServerUnreachableError';
  /** The origin that answered, if it was not the one that was asked. */
  readonly redirectedTo: string | undefined;
  /** From Retry-After; 0 without one. */
  readonly retryAfterMs: number;
  constructor(reason: string, { redirectedTo, retryAfterMs = 0, ...options }: UnreachableDetails = {}) {
    super(reason, options);
    this.redirectedTo = redirectedTo;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Asks the server for the address of its relay. Throws ServerUnreachableError, or AgentError when another try is
 * pointless. A reply that is not from our server is not final: a proxy or a captive portal may have sent it.
 */
export async function fetchBootstrap(serverUrl: string, signal: AbortSignal): Promise<Bootstrap> {
  const { json, redirectedTo } = await fetchServer(new URL('/api/agent/bootstrap/', serverUrl), signal);
  const reply = AgentBootstrap.safeParse(json);
  if (!reply.success) {
    const reason = json === undefined ? 'not-json' : 'not-bootstrap';
    throw new ServerUnreachableError(reason, { redirectedTo, cause: reply.error });
  }
  const { protocol, tunnel_host, tunnel_port, relay_pin, upgrade_key } = reply.data;
  if (protocol !== PROTOCOL_VERSION) {
    throw new AgentError('protocol.unsupported', { detail: `客户端 ${PROTOCOL_VERSION}，服务器 ${protocol}` });
  }
  const tunnelHost = tunnel_host === '' ? hostOf(serverUrl) : tunnel_host;
  return { relay: { tunnelHost, tunnelPort: tunnel_port, relayPin: relay_pin }, upgradeKey: upgrade_key };
}

/**
 * Calls the server, by POST if there is a body. `json` is undefined when the answer was not JSON. Throws
 * ServerUnreachableError.
 */
export async function fetchServer(
  url: URL,
  signal: AbortSignal,
  body?: object,
): Promise<{ json: unknown; redirectedTo: string | undefined }> {
  const request = new AbortController();
  const abort = () => request.abort();
  signal.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(() => request.abort(new Error('timeout')), TIMEOUT_MS);
  try {
    const { response, ...answer } = await callHttp(url, {
      signal: request.signal,
      // No Origin: after a redirect it would name another host, which the server refuses.
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    });
    const redirectedTo = answer.url.origin === url.origin ? undefined : answer.url.origin;
    if (answer.status < 200 || answer.status > 299) {
      response.destroy();
      const retryAfterMs = retryAfterOf(response.headers['retry-after']);
      throw new ServerUnreachableError(`status_${answer.status}`, { redirectedTo, retryAfterMs });
    }
    const text = (await readBody(response, MAX_ANSWER_BYTES)).toString();
    return { json: parseJson(text), redirectedTo };
  } catch (cause) {
    if (cause instanceof ServerUnreachableError) throw cause;
    const reason: unknown = request.signal.aborted ? request.signal.reason : cause;
    throw new ServerUnreachableError(reasonOf(reason), { cause });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** Zero without the header, or with a date: clocks of devices are often wrong. */
function retryAfterOf(header: string | undefined): number {
  const seconds = /^\d{1,6}$/.exec(header ?? '')?.[0];
  return Math.min(Number(seconds ?? 0) * 1000, MAX_RETRY_AFTER_MS);
}

function hostOf(serverUrl: string): string {
  return new URL(serverUrl).hostname.replace(/^\[(.*)\]$/, '$1');
}
