import type { CallRequest } from '../../../http/session.ts';

/**
 * The WebAuthn relying party id for the console host of the request: the public host for itself and its subdomains, otherwise
 * the host itself, because browsers offer a passkey only within its domain.
 */
export function relyingPartyId(publicUrl: string, req: CallRequest): string {
  const own = new URL(publicUrl).hostname;
  const visited = req.hostname.toLowerCase();
  return visited === own || visited.endsWith(`.${own}`) ? own : visited;
}

/** The origin of the page that calls. The relay passes only requests for console hosts to the server. */
export function callerOrigin(publicUrl: string, req: CallRequest): string {
  return req.headers.origin ?? new URL(publicUrl).origin;
}
