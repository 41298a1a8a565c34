import type { EndpointKey } from '@tongtu/contract';
import { ApiError, errorCode } from './api-error.ts';
import type { Call, CallOptions, RawKey } from './call-types.ts';
import { readFailure } from './read-failure.ts';

const defaultTimeoutMs = 15_000;

/** Written out because the table itself carries zod, which the page does not load; the type keeps it complete. */
const rawCalls: Record<RawKey, true> = {
  'GET /custom/check/': true,
};

export type ClientDeps = {
  /** Where the paths start; empty for the page's own origin. */
  origin: string;
  fetch: typeof globalThis.fetch;
  readCsrfToken: () => string | undefined;
  /** Whom the page shows; undefined while that is nobody. */
  readShownUserId: () => number | undefined;
  /** Told when the server no longer knows the caller. */
  onSessionLost: () => void;
  /** Told when the session belongs to another user than the one that the page shows. */
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
  // Somebody else may have logged in in another tab since: what this page shows is not theirs to change.
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
    return await response.json();
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
      // Another tab logged in or out: any GET brings this one the cookie that belongs to the session of now. This one has no
      // limit, so that nobody's tabs keep those of their network from what they are about to do.
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
