import type { CheckReply } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../http/mount.ts';
import { resetFailures, allowAttempt } from '../captcha/index.ts';
import { readHost } from '../devices/index.ts';
import { RefusalRecorder } from '../refused-visits/index.ts';
import { callerOf, loginOf } from './caller.ts';
import { type AccessPasswordDeps, checkAccessPassword } from './check-access-password.ts';
import { checkUrl, type UrlVerdict } from './check-url.ts';
import { registerEnterRoutes } from './enter-routes.ts';
import { refusalsOf } from './record-refusals.ts';
import { findRegisteredIp } from './registered-ip.ts';

/** The console's part of the gate: who may open an address, and whether a network address passes. */
export function registerGateRoutes(app: FastifyInstance, deps: AccessPasswordDeps): void {
  const refusals = new RefusalRecorder(deps.db);
  registerEnterRoutes(app, { ...deps, refusals });
  mount(app, 'GET /custom/check/', { login: 'optional' }, async ({ query, req, session }) => {
    const { url, share } = query;
    const login = loginOf(session);
    const onRefused = refusalsOf(refusals, { req, login });
    const input = { url, share, consoleHost: readHost(req.host), caller: callerOf(req), login, onRefused };
    return checkReply(await checkUrl(deps, input), session !== undefined);
  });
  mount(app, 'POST /custom/check/', { login: 'optional' }, async ({ body, req, session }) => {
    const { url, password, ticket } = body;
    const login = loginOf(session);
    const guess = { purpose: 'gate_password', req } as const;
    const verdict = await checkAccessPassword(deps, {
      ...{ url, password, consoleHost: readHost(req.host), caller: callerOf(req), login },
      onRefused: refusalsOf(refusals, { req, login }),
      captcha: {
        ticket,
        allowAttempt: async (mappingId) => await allowAttempt(deps.db, { ...guess, ticket, target: String(mappingId) }),
        clearFailures: async (mappingId) => await resetFailures(deps.db, { ...guess, target: String(mappingId) }),
      },
    });
    return checkReply(verdict, session !== undefined);
  });
  mount(app, 'POST /ip/checkUserDidRegisterIP', { login: 'optional' }, async ({ body, req }) => {
    const input = { url: body.url, ip: req.ip, consoleHost: readHost(req.host) };
    const { registered, ip, expiresAt } = await findRegisteredIp(deps, input);
    return { registered, ip, expires_at: expiresAt?.toISOString() ?? null };
  });
}

function checkReply(
  { allowed, reason, visited, device, redirect, request }: UrlVerdict,
  isLoggedIn: boolean,
): CheckReply {
  return {
    logged_in: isLoggedIn,
    allowed,
    reason,
    url: visited.href,
    domain: visited.host,
    ...(device && { device }),
    ...(redirect !== undefined && { redirect }),
    ...(request && { request }),
  };
}
