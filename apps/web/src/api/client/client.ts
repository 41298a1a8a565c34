import type { EndpointKey } from '@tongtu/contract';
import { ApiError, errorCode } from './api-error.ts';
import type { Call, CallOptions, RawKey } from './call-types.ts';
import { readFailure } from './read-failure.ts';

const defaultTimeoutMs = 15_000;

/**
 * Listed here because the endpoint table imports zod, which the console does not load. The type keeps the list
 * complete.
 */
const rawCalls: Record<RawKey, true> = {
  'GET /custom/check/': true,
  'POST /api/mark_product_keys_as_status/': true,
};

export type ClientDeps = {
  /** The origin of all calls; empty for the console's own origin. */
  origin: string;
  fetch: typeof globalThis.fetch;
  readCsrfToken: () => string | undefined;
  /** The user that the console shows, or undefined when there is none. */
  readShownUserId: () => number | undefined;
  /** Called when the server no longer accepts the session. */
  onSessionLost: () => void;
  /** Called when the session belongs to another user than the one that the console shows. */
  onSessionChanged: () => void;
};

type LooseInput = CallOptions & {
  params?: Record<string, number>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
};

function buildUrl(origin: string, pathTemplate: string, input: LooseInput): string {
  const path = pathTemplate.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(String(input.params?.[name])),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined) query.set(name, String(value));
  }
  const text = query.toString();
  return `${origin}${path}${text === '' ? '' : `?${text}`}`;
}

async function exchange(deps: ClientDeps, key: EndpointKey, input: LooseInput): Promise<unknown> {
  const [method = 'GET', path = '/'] = key.split(' ');
  // The console is Chinese whatever the browser's language is.
  const headers = new Headers({ accept: 'application/json', 'accept-language': 'zh-CN' });
  const csrfToken = key in rawCalls ? undefined : deps.readCsrfToken();
  if (csrfToken !== undefined) headers.set('x-csrftoken', csrfToken);
  // Somebody else may have logged in in another tab. The server then refuses changes to what this tab shows.
  const shownUserId = method === 'GET' ? undefined : deps.readShownUserId();
  if (shownUserId !== undefined) headers.set('x-user-id', String(shownUserId));
  if (input.body !== undefined) headers.set('content-type', 'application/json');
  const timeout = AbortSignal.timeout(input.timeoutMs ?? defaultTimeoutMs);
  try {
    const response = await deps.fetch(buildUrl(deps.origin, path, input), {
      method,
      headers,
      credentials: 'same-origin',
      signal: input.signal ? AbortSignal.any([input.signal, timeout]) : timeout,
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    });
    if (!response.ok) throw new ApiError(await readFailure(response));
    // A CSV file is the only reply that is not JSON.
    const isCsv = response.headers.get('content-type')?.startsWith('text/csv') === true;
    return isCsv ? await response.text() : await response.json();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (input.signal?.aborted) throw new ApiError({ type: 'cancelled' }, { cause: error });
    if (timeout.aborted) throw new ApiError({ type: 'timeout' }, { cause: error });
    if (error instanceof SyntaxError) throw new ApiError({ type: 'unreadable', status: 200 }, { cause: error });
    throw new ApiError({ type: 'network' }, { cause: error });
  }
}

/** The typed client of the endpoint table. */
export function createClient(deps: ClientDeps): { call: Call } {
  async function exchangeWithFreshToken(key: EndpointKey, input: LooseInput): Promise<unknown> {
    try {
      return await exchange(deps, key, input);
    } catch (error) {
      if (errorCode(error) !== 'session.csrf') throw error;
      // Another tab logged in or out. Any GET sets the CSRF cookie of the current session. This one has no rate limit,
      // so other clients of the same network cannot use it up.
      await exchange(deps, 'GET /api/site/config/', {});
      return await exchange(deps, key, input);
    }
  }

  async function call(key: EndpointKey, input: LooseInput = {}): Promise<unknown> {
    try {
      return await exchangeWithFreshToken(key, input);
    } catch (error) {
      if (errorCode(error) === 'session.required') deps.onSessionLost();
      if (errorCode(error) === 'session.changed') deps.onSessionChanged();
      throw error;
    }
  }

  // The server validates every reply against the same table before it sends it.
  return { call: call as Call };
}
