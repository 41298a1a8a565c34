import { networkOf } from '@tongtu/base';
import { type CallLimit, ANONYMOUS_PER_MINUTE } from '@tongtu/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { countAgainst } from './rate-limit.ts';
import { checkNotOtherSite, isNavigation } from '../browser/same-origin.ts';

const WINDOW_SECONDS = 60;

declare module 'fastify' {
  interface FastifyContextConfig {
    limit?: CallLimit;
    /** Navigations from other sites are allowed, such as links in mails. */
    allowsNavigation?: true;
  }
  interface FastifyInstance {
    /** Counts a call for `key`. Throws `request.too-many` beyond the limit. */
    countCall: (req: FastifyRequest, limit: CallLimit, key: string) => Promise<void>;
    /** Counts a call that is refused for lack of a login. Throws `request.too-many` beyond the limit of its network. */
    countAnonymous: (req: FastifyRequest) => Promise<void>;
  }
}

/**
 * Enforces the `config.limit` of routes. Requests of another site's page are refused before they are counted, so that such
 * a page cannot use up its visitors' limits. Limits per network are counted here, limits per account in `mount`, both
 * before the body is read.
 */
export function useCallLimits(app: FastifyInstance, db: Db): void {
  app.decorate('countCall', async (req: FastifyRequest, limit: CallLimit, key: string) => {
    await countAgainst(db, { name: nameOf(req), key, max: limit.maxPerMinute, windowSeconds: WINDOW_SECONDS });
  });
  app.decorate('countAnonymous', async (req: FastifyRequest) => {
    const counted = { name: 'anonymous', key: networkOf(req.ip) };
    await countAgainst(db, { ...counted, max: ANONYMOUS_PER_MINUTE, windowSeconds: WINDOW_SECONDS });
  });
  app.addHook('onRequest', async (req) => {
    const { limit, allowsNavigation } = req.routeOptions.config;
    if (limit === undefined) return;
    if (!allowsNavigation || !isNavigation(req)) checkNotOtherSite(req);
    if (limit.per === 'network') await app.countCall(req, limit, networkOf(req.ip));
  });
}

/** HEAD counts as GET, because it costs as much. */
function nameOf({ method, routeOptions: { url = '' } }: FastifyRequest): string {
  return `${method === 'HEAD' ? 'GET' : method} ${url}`;
}
