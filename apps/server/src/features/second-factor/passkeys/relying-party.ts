import type { CallRequest } from '../../../http/session.ts';

/**
 * The name that passkeys made under this address of the console belong to: the public one for itself and its subdomains;
 * a console name of another domain has its own, because browsers offer a passkey under its domain only.
 */
export function relyingPartyId(publicUrl: string, req: CallRequest): string {
  const own = new URL(publicUrl).hostname;
  const visited = req.hostname.toLowerCase();
  return visited === own || visited.endsWith(`.${own}`) ? own : visited;
}

/** Where the page that called stands. The relay sends the console's own names here only. */
export function callerOrigin(publicUrl: string, req: CallRequest): string {
  return req.headers.origin ?? new URL(publicUrl).origin;
}
