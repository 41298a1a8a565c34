import type { CheckReply } from '@tongtu/contract';
import { isOpenable } from '../../routing/guards.ts';
import { paths, withQuery } from '../../routing/paths.ts';
import type { GateDeps, Visit } from './gate-deps.ts';

export function fetchCheck({ call }: GateDeps, { url, share }: Visit, signal?: AbortSignal): Promise<CheckReply> {
  const query = { url, ...(share === undefined ? {} : { share }) };
  return call('GET /custom/check/', { query, ...(signal && { signal }) });
}

/** The address to which the reply redirects; undefined without one. */
export function openableUrl(reply: CheckReply | undefined): string | undefined {
  if (!reply?.allowed) return undefined;
  const url = reply.redirect ?? reply.url;
  return isOpenable(url, window.location.href) ? url : undefined;
}

/** The login screen, which returns to `url`. */
export function loginPathFor(url: string): string {
  return withQuery(paths.login, { url });
}
