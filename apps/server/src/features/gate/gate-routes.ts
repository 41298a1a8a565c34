import type { FastifyInstance } from 'fastify';
import { mount } from '../../http/mount.ts';
import { readHost } from '../devices/index.ts';
import { checkUrl, type CheckUrlDeps } from './check-url.ts';

/** `GET /custom/check/`: the console's half of the visitor gate. */
export function registerGateRoutes(app: FastifyInstance, deps: CheckUrlDeps): void {
  mount(app, 'GET /custom/check/', { login: 'optional' }, async ({ query, req, session }) => {
    const input = { url: query.url, consoleHost: readHost(req.host), userId: session?.userId };
    const { allowed, reason, visited, device, redirect } = await checkUrl(deps, input);
    return {
      logged_in: session !== undefined,
      allowed,
      reason,
      url: visited.href,
      domain: visited.host,
      ...(device && { device }),
      ...(redirect !== undefined && { redirect }),
    };
  });
}
