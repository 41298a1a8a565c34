import { AgentBootstrap } from '@tongtu/contract/site';
import { PROTOCOL_VERSION } from '@tongtu/tunnel';
import { AgentError } from './agent-error.ts';
import { reasonOf } from './dial/reason-of.ts';

const TIMEOUT_MS = 10_000;

/** Where the relay listens and which key it must show. */
export type RelayAddress = { tunnelHost: string; tunnelPort: number; relayPin: string };

/** The server could not be asked now; another try may work. */
export class ServerUnreachableError extends Error {
  override readonly name = 'ServerUnreachableError';
}

/** Asks the server where its relay is. Throws ServerUnreachableError, or AgentError when another try is pointless. */
export async function fetchBootstrap(serverUrl: string, signal: AbortSignal): Promise<RelayAddress> {
  const reply = AgentBootstrap.safeParse(await fetchJson(new URL('/api/agent/bootstrap/', serverUrl), signal));
  if (!reply.success) throw new AgentError('server.unknown', { detail: serverUrl, cause: reply.error });
  const { protocol, tunnel_host, tunnel_port, relay_pin } = reply.data;
  if (protocol !== PROTOCOL_VERSION) {
    throw new AgentError('protocol.unsupported', { detail: `客户端 ${PROTOCOL_VERSION}，服务器 ${protocol}` });
  }
  const tunnelHost = tunnel_host === '' ? hostOf(serverUrl) : tunnel_host;
  return { tunnelHost, tunnelPort: tunnel_port, relayPin: relay_pin };
}

async function fetchJson(url: URL, signal: AbortSignal): Promise<unknown> {
  const request = new AbortController();
  const abort = () => request.abort();
  signal.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(() => request.abort(new Error('timeout')), TIMEOUT_MS);
  try {
    const response = await fetch(url, { signal: request.signal, headers: { accept: 'application/json' } });
    // A server or proxy that is still starting answers 5xx; anything else that is not our reply is another server.
    if (response.status >= 500) throw new ServerUnreachableError(`status_${response.status}`);
    const text = await response.text();
    if (!response.ok) throw new AgentError('server.unknown', { detail: `${url.origin}，HTTP ${response.status}` });
    return parseJson(text);
  } catch (cause) {
    if (cause instanceof AgentError || cause instanceof ServerUnreachableError) throw cause;
    throw new ServerUnreachableError(reasonOf(cause), { cause });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
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
