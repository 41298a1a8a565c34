import { CancelledError, type QueryClient } from '@tanstack/react-query';
import { type LoaderFunctionArgs, redirect } from 'react-router';
import { type Api, ApiError, isLoggedIn, profileQuery } from '../api/index.ts';
import type { Profile } from '@tongtu/contract';
import { placeToGoBackTo } from '../features/login/wechat/wechat-note.ts';
import { type Decision, decideErrorport, decideHome, decideLogin, isOpenable, ownPageUrl } from './guards.ts';
import { paths, withQuery } from './paths.ts';

export type LoaderDeps = { api: Api; queryClient: QueryClient; pageUrl: () => string };

/** Where the login screen redirects a user immediately; undefined for those who are not logged in. */
export type LoginLoaderData = { leaveTo: string | undefined };

/** More retries than usual: after a successful login the profile matters. */
const enterRetries = 3;

function visitOf(request: Request, loggedIn: boolean) {
  const { pathname, search } = new URL(request.url);
  return { isLoggedIn: loggedIn, pathname, search };
}

function follow(decision: Decision): null {
  if (decision.type === 'go') throw redirect(decision.to);
  return null;
}

/** Redirects only where the server allows it, or within this console: anybody can write `url`. */
async function resolveOpen(deps: LoaderDeps, url: string): Promise<LoginLoaderData> {
  const own = ownPageUrl(url, deps.pageUrl());
  if (own !== undefined) return { leaveTo: own };
  const reply = await deps.api.call('GET /custom/check/', { query: { url } }).catch(() => undefined);
  if (reply?.logged_in === false) return { leaveTo: undefined };
  const to = reply?.allowed ? reply.redirect : undefined;
  if (to !== undefined && isOpenable(to, deps.pageUrl())) return { leaveTo: to };
  throw redirect(withQuery(paths.check, { url }));
}

/** The specification's guards as loaders: they run before a screen is shown. */
export function createLoaders(deps: LoaderDeps) {
  async function loadProfile(options: { retry?: number } = {}): Promise<Profile | null> {
    const query = { ...profileQuery(deps.api), ...options };
    try {
      return await deps.queryClient.fetchQuery(query);
    } catch (error) {
      // The user was forgotten during the request, so its answer is stale.
      if (error instanceof CancelledError) return await loadProfile(options);
      // Without an answer the user stays: the frame reports the network failure, and the server checks each call
      // anyway.
      const known = deps.queryClient.getQueryData(query.queryKey);
      if (isLoggedIn(known) && error instanceof ApiError && error.failure.type !== 'problem') return known;
      throw error;
    }
  }

  return {
    async login({ request }: LoaderFunctionArgs): Promise<LoginLoaderData> {
      const profile = await loadProfile({ retry: enterRetries });
      const left = placeToGoBackTo(new URL(request.url).search, { isLoggedIn: isLoggedIn(profile) });
      if (left !== undefined) throw redirect(left);
      const decision = decideLogin(visitOf(request, isLoggedIn(profile)));
      if (decision.type === 'open') return await resolveOpen(deps, decision.url);
      follow(decision);
      return { leaveTo: undefined };
    },
    /** Somebody who is logged in may accept an invitation. Without an answer the form is shown. */
    async join(): Promise<null> {
      await loadProfile().catch(() => null);
      return null;
    },
    async home({ request }: LoaderFunctionArgs): Promise<null> {
      return follow(decideHome(visitOf(request, isLoggedIn(await loadProfile()))));
    },
    async errorport({ request }: LoaderFunctionArgs): Promise<null> {
      return follow(decideErrorport(visitOf(request, isLoggedIn(await loadProfile()))));
    },
    unknown(): never {
      throw redirect(paths.home);
    },
  };
}
