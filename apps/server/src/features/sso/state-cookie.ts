import { SSO_STATE_COOKIE } from '@tongtu/contract';
import { cookieOptions } from '../../http/cookie-options.ts';
import type { CallRequest, HttpCall } from '../../http/session.ts';

// A mapping's host lies beside the console's and may set cookies for both; it cannot set one of this prefix.
const HOST_PREFIX = '__Host-';

/** The state that the page of this browser made. Over https only the page itself could have named it. */
export function readState(req: CallRequest): string | undefined {
  const kept = req.cookies[HOST_PREFIX + SSO_STATE_COOKIE];
  // Behind another proxy that ends TLS the page has come by https though we see http.
  return kept ?? (req.protocol === 'https' ? undefined : req.cookies[SSO_STATE_COOKIE]);
}

export function forgetState({ req, reply }: HttpCall): void {
  const { maxAge: _lifetime, ...options } = cookieOptions(req);
  const shown = { ...options, httpOnly: false }; // the page's script made it
  if (req.protocol !== 'https') reply.clearCookie(SSO_STATE_COOKIE, shown);
  reply.clearCookie(HOST_PREFIX + SSO_STATE_COOKIE, { ...shown, secure: true });
}
