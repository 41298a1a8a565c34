import type { HttpCall } from '../../http/session.ts';
import { tellOfLogin } from '../alerts/index.ts';
import { startSession, type SessionDeps } from '../sessions/index.ts';

/** Starts the session of a login that has passed all its steps. To be run in a transaction. */
export async function beginSession(deps: SessionDeps, userId: number, call: HttpCall): Promise<void> {
  const { ip, headers, log } = call.req;
  await tellOfLogin(deps.db, { userId, ip, userAgent: headers['user-agent'] ?? '' }, log);
  await startSession(deps, userId, call);
}
