import type { AlgorithmMismatch, LoginProblem, TargetConnected, TargetLogin } from '@tongtu/contract';
import { ApiError, readFailure } from '../../../api/index.ts';

/** What a login leads to. Anything else is thrown. */
export type ConnectResult =
  | { type: 'connected'; path: string }
  | { type: 'credentials'; wanted: readonly Wanted[] }
  | { type: 'refused' }
  | { type: 'key-unreadable' }
  | { type: 'host-key'; fingerprint: string }
  | { type: 'host-key-changed'; fingerprint: string; known: string }
  | { type: 'no-common-algorithm'; mismatch: AlgorithmMismatch };

export type Wanted = NonNullable<LoginProblem['wanted']>[number];
type Query = Record<string, string>;

/** The gateway's calls of one session. All throw ApiError. */
export type TargetCalls = {
  /** The address of a call, for links and media. */
  url: (call: string, query?: Query) => string;
  connect: (body: TargetLogin) => Promise<ConnectResult>;
  ask: (call: string, query?: Query, init?: RequestInit) => Promise<Response>;
  post: <Result>(call: string, body: unknown) => Promise<Result>;
};

/** `base` is what the calls of this kind of app begin with. */
export function createTargetCalls(base: string, fetch: typeof window.fetch): TargetCalls {
  const url: TargetCalls['url'] = (call, query = {}) => {
    const search = new URLSearchParams(query).toString();
    return `${base}${call}${search === '' ? '' : `?${search}`}`;
  };

  async function send(call: string, query: Query, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('accept-language', 'zh-CN');
    try {
      return await fetch(url(call, query), { ...init, headers });
    } catch (cause) {
      throw new ApiError({ type: init.signal?.aborted === true ? 'cancelled' : 'network' }, { cause });
    }
  }

  const ask: TargetCalls['ask'] = async (call, query = {}, init = {}) => {
    const response = await send(call, query, init);
    if (!response.ok) throw new ApiError(await readFailure(response));
    return response;
  };

  const jsonPost = (body: unknown): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

  return {
    url,
    ask,
    post: async <Result>(call: string, body: unknown) => await readJson<Result>(await ask(call, {}, jsonPost(body))),
    async connect(body) {
      const response = await send('connect', {}, jsonPost(body));
      if (response.ok) return { type: 'connected', path: (await readJson<TargetConnected>(response)).path };
      const copy = response.clone();
      const failure = await readFailure(response);
      const known = failure.type === 'problem' ? await readJson<LoginProblem>(copy) : undefined;
      const result = known && resultOf(known);
      if (!result) throw new ApiError(failure);
      return result;
    },
  };
}

export function withSignal(signal: AbortSignal | undefined): RequestInit {
  return signal ? { signal } : {};
}

/** A call that takes long begins its answer before its end, and may still fail then (`answer-when-done.ts`). */
export async function readJson<Result>(response: Response): Promise<Result> {
  let body: unknown;
  try {
    body = await response.json();
  } catch (cause) {
    throw new ApiError({ type: 'network' }, { cause }); // the answer was cut
  }
  if (response.ok && isProblem(body)) {
    const headers = { 'content-type': 'application/problem+json' };
    throw new ApiError(await readFailure(new Response(JSON.stringify(body), { status: body.status, headers })));
  }
  return body as Result; // the gateway answers by the contract
}

function isProblem(body: unknown): body is { status: number } {
  if (typeof body !== 'object' || body === null) return false;
  return 'code' in body && 'detail' in body && 'status' in body && typeof body.status === 'number';
}

function resultOf({ code, wanted, fingerprint = '', known_fingerprint: known = '', algorithms }: LoginProblem) {
  switch (code) {
    case 'login.credentials-required':
      return { type: 'credentials', wanted: wanted ?? [] } as const;
    case 'target.login-failed':
      return { type: 'refused' } as const;
    case 'target.key-unreadable':
      return { type: 'key-unreadable' } as const;
    case 'login.host-key-unknown':
      return { type: 'host-key', fingerprint } as const;
    case 'target.host-key-changed':
      return { type: 'host-key-changed', fingerprint, known } as const;
    case 'target.no-common-algorithm':
      return algorithms && ({ type: 'no-common-algorithm', mismatch: algorithms } as const);
    default:
      return undefined;
  }
}
