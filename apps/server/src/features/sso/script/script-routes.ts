import { AppError, callLimits, SsoCallback, SsoState, type SsoLogin } from '@tongtu/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { parseRequest } from '../../../http/field-errors.ts';
import { checkSameOrigin } from '../../../http/browser/same-origin.ts';
import { userAgentOf } from '../../../http/browser/user-agent.ts';
import { hashSecret } from '../../../hash-secret.ts';
import { sendScript } from './send-script.ts';
import type { SsoHostDeps } from '../sso-host-deps.ts';
import { deleteSsoLogin, openSsoLogin, setLoginCode } from '../sso-login-store.ts';
import { createSecret, scanTokenOf } from '../sso-secret.ts';
import { clearStateCookies, readStates } from './state-cookie.ts';
import { isOwnState } from '../use-sso-code.ts';

const LoginQuery = z.object({
  from: z.url({ protocol: /^https?$/ }).max(2048),
  state: SsoState,
  callback: SsoCallback,
});
const LogoutQuery = z.object({ callback: SsoCallback });

/** Serves the JSONP calls: the state of a login, and the logout. */
export function registerScriptRoutes(scope: FastifyInstance, deps: SsoHostDeps): void {
  scope.get('/wechat/login', { config: { limit: callLimits['GET /sso/wechat/login'] } }, async (req, reply) => {
    checkSameOrigin(req);
    const { from, state, callback } = parseRequest(LoginQuery, req.query);
    // Any site can load a script, so only the page that made the state may read its login.
    const site = new URL(from).host;
    if (site !== req.host.toLowerCase() || !isOwnState(req, state)) throw new AppError('request.cross-site');
    return sendScript(reply, callback, await readLogin(deps, { site, state, req }));
  });

  scope.get('/wechat/logout', { config: { limit: callLimits['GET /sso/wechat/logout'] } }, async (req, reply) => {
    checkSameOrigin(req);
    const { callback } = parseRequest(LogoutQuery, req.query);
    await deleteLogins(deps, req, reply);
    return sendScript(reply, callback, { status: 'ok' });
  });
}

async function readLogin(
  { db, key, url, wechat }: SsoHostDeps,
  { site, state, req }: { site: string; state: string; req: FastifyRequest },
): Promise<SsoLogin> {
  const stateHash = hashSecret(state);
  const code = createSecret();
  if (await setLoginCode(db, stateHash, hashSecret(code))) return { status: 'ok', code };
  const scanToken = scanTokenOf(key, state);
  const userAgent = userAgentOf(req);
  await openSsoLogin(db, { stateHash, scanHash: hashSecret(scanToken), site, ip: req.ip, userAgent });
  const image = `${url}/wechat/scan?t=${scanToken}`;
  return { status: 'pending', image, ...(wechat.isFake && { fake: true as const }) };
}

async function deleteLogins({ db }: SsoHostDeps, req: FastifyRequest, reply: FastifyReply): Promise<void> {
  const states = readStates(req);
  if (states.length === 0) return;
  for (const state of states) await deleteSsoLogin(db, hashSecret(state));
  clearStateCookies({ req, reply });
}
