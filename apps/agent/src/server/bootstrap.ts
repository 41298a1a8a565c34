import { AgentBootstrap } from '@tongtu/contract/site';
import { PROTOCOL_VERSION } from '@tongtu/tunnel';
import { AgentError } from '../events/agent-error.ts';
import { reasonOf } from '../net/reason-of.ts';

const TIMEOUT_MS = 10_000;
const MAX_RETRY_AFTER_MS = 60_000;

/** Where the relay listens and which key it must show. */
export type RelayAddress = { tunnelHost: string; tunnelPort: number; relayPin: string };

type UnreachableDetails = ErrorOptions & { redirectedTo?: string | undefined; retryAfterMs?: number | undefined };

/**
 * The server could not be asked now; another try may work. `message` is a machine word for what came instead of its
 * answer: `ECONNREFUSED`, `status_503`, `not-json` …
 */
export class ServerUnreachableError extends Error {
  override readonly name = 'ServerUnreachableError';
  /** The origin that answered, where it was another one than was asked. */
  readonly redirectedTo: string | undefined;
  /** What the answer asks us to wait. */
  readonly retryAfterMs: number;
  constructor(reason: string, { redirectedTo, retryAfterMs = 0, ...options }: UnreachableDetails = {}) {
    super(reason, options);
    this.redirectedTo = redirectedTo;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Asks the server where its relay is. Throws ServerUnreachableError, or AgentError when another try is pointless. What
 * is no answer of ours is not final: a proxy answers for a server that is being deployed, and a network that wants a
 * login for everybody.
 */
export async function fetchBootstrap(serverUrl: string, signal: AbortSignal): Promise<RelayAddress> {
  const { json, redirectedTo } = await fetchServer(new URL('/api/agent/bootstrap/', serverUrl), signal);
  const reply = AgentBootstrap.safeParse(json);
  if (!reply.success) {
    const reason = json === undefined ? 'not-json' : 'not-bootstrap';
    throw new ServerUnreachableError(reason, { redirectedTo, cause: reply.error });
  }
  const { protocol, tunnel_host, tunnel_port, relay_pin } = reply.data;
  if (protocol !== PROTOCOL_VERSION) {
    throw new AgentError('protocol.unsupported', { detail: `客户端 ${PROTOCOL_VERSION}，服务器 ${protocol}` });
  }
  const tunnelHost = tunnel_host === '' ? hostOf(serverUrl) : tunnel_host;
  return { tunnelHost, tunnelPort: tunnel_port, relayPin: relay_pin };
}

/**
 * Asks the server, with a body by POST. `json` is undefined when the answer was something else. Throws
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
    const response = await fetch(url, {
      signal: request.signal,
      // No Origin: after a redirect it would be that of another host, which the server refuses.
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    const { origin } = new URL(response.url);
    const redirectedTo = origin === url.origin ? undefined : origin;
    if (!response.ok) {
      await response.body?.cancel();
      throw new ServerUnreachableError(`status_${response.status}`, {
        redirectedTo,
        retryAfterMs: retryAfterOf(response.headers),
      });
    }
    return { json: parseJson(await response.text()), redirectedTo };
  } catch (cause) {
    if (cause instanceof ServerUnreachableError) throw cause;
    throw new ServerUnreachableError(reasonOf(cause), { cause });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** Zero where it says nothing, or a date: clocks of devices are often wrong. */
function retryAfterOf(headers: Headers): number {
  const seconds = /^\d{1,6}$/.exec(headers.get('retry-after') ?? '')?.[0];
  return Math.min(Number(seconds ?? 0) * 1000, MAX_RETRY_AFTER_MS);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // refused by the schema, together with every other foreign reply
  }
}

function hostOf(serverUrl: string): string {
  return new URL(serverUrl).hostname.replace(/^\[(.*)\]$/, '$1');
}
