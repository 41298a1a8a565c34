import { networkOf } from '@tongtu/base';
import type { CheckReply } from '@tongtu/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { mount } from '../../http/mount.ts';
import type { Session } from '../../http/session.ts';
import { resetFailures, allowAttempt } from '../captcha/index.ts';
import { readHost } from '../devices/index.ts';
import { type AccessPasswordDeps, checkAccessPassword } from './check-access-password.ts';
import { type Caller, checkUrl, type UrlVerdict } from './check-url.ts';
import type { Visitor } from './find-grounds.ts';
import { findRegisteredIp } from './registered-ip.ts';

/** The console's part of the gate: `/custom/check/`, and whether an address passes. */
export function registerGateRoutes(app: FastifyInstance, deps: AccessPasswordDeps): void {
  mount(app, 'GET /custom/check/', { login: 'optional' }, async ({ query, req, session }) => {
    const { url, share } = query;
    const input = { url, share, consoleHost: readHost(req.host), caller: callerOf(req), login: loginOf(session) };
    return checkReply(await checkUrl(deps, input), session !== undefined);
  });
  mount(app, 'POST /custom/check/', { login: 'optional' }, async ({ body, req, session }) => {
    const { url, password, ticket } = body;
    const guess = { purpose: 'gate_password', req } as const;
    const verdict = await checkAccessPassword(deps, {
      ...{ url, password, consoleHost: readHost(req.host), caller: callerOf(req), login: loginOf(session) },
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

/** Only API tokens have a session without an id, and they cannot call what needs no login. */
function loginOf(session: Session | undefined): Visitor['login'] {
  return session?.sessionId === undefined ? undefined : { userId: session.userId, sessionId: session.sessionId };
}

function callerOf({ protocol: scheme, host, ip }: FastifyRequest): Caller {
  const port = /:(\d{1,5})$/.exec(host)?.[1] ?? (scheme === 'https' ? 443 : 80);
  return { scheme, port: Number(port), network: networkOf(ip) };
}

function checkReply({ allowed, reason, visited, device, redirect }: UrlVerdict, isLoggedIn: boolean): CheckReply {
  return {
    logged_in: isLoggedIn,
    allowed,
    reason,
    url: visited.href,
    domain: visited.host,
    ...(device && { device }),
    ...(redirect !== undefined && { redirect }),
  };
}
