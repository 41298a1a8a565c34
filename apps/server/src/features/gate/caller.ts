import { networkOf } from '@tongtu/base';
import type { CallRequest, Session } from '../../http/session.ts';
import type { Caller } from './check-url.ts';
import type { Visitor } from './find-grounds.ts';

/** Only API tokens have a session without an id, and they cannot call what needs no login. */
export function loginOf(session: Session | undefined): Visitor['login'] {
  return session?.sessionId === undefined ? undefined : { userId: session.userId, sessionId: session.sessionId };
}

/** How the request's browser reached the console. */
export function callerOf({ protocol: scheme, host, ip }: CallRequest): Caller {
  const port = /:(\d{1,5})$/.exec(host)?.[1] ?? (scheme === 'https' ? 443 : 80);
  return { scheme, port: Number(port), network: networkOf(ip) };
}
