import { networkOf } from '@tongtu/base';
import { type CallLimit, ANONYMOUS_PER_MINUTE } from '@tongtu/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Db } from '../db/driver.ts';
import { countAgainst } from './rate-limit.ts';
import { checkNotOtherSite, isVisit } from './same-origin.ts';

const WINDOW_SECONDS = 60;

declare module 'fastify' {
  interface FastifyContextConfig {
    limit?: CallLimit;
    /** People come here by links of other sites, too. */
    isVisited?: true;
  }
  interface FastifyInstance {
    /** Counts a call for `key`. Throws `request.too-many` beyond the limit. */
    countCall: (req: FastifyRequest, limit: CallLimit, key: string) => Promise<void>;
    /** Counts a caller who is refused for want of a login. Throws `request.too-many` beyond the limit of their network. */
    countStranger: (req: FastifyRequest) => Promise<void>;
  }
}

/**
 * Holds routes to their `config.limit`. What a page of another site has made a browser send is refused before it is counted,
 * so that no stranger's page uses up what its visitors have. The limit of a network is counted here, that of an account by
 * whoever knows it (`mount`): both before the body is read.
 */
export function useCallLimits(app: FastifyInstance, db: Db): void {
  app.decorate('countCall', async (req: FastifyRequest, limit: CallLimit, key: string) => {
    await countAgainst(db, { name: nameOf(req), key, max: limit.maxPerMinute, windowSeconds: WINDOW_SECONDS });
  });
  app.decorate('countStranger', async (req: FastifyRequest) => {
    const counted = { name: 'anonymous', key: networkOf(req.ip) };
    await countAgainst(db, { ...counted, max: ANONYMOUS_PER_MINUTE, windowSeconds: WINDOW_SECONDS });
  });
  app.addHook('onRequest', async (req) => {
    const { limit, isVisited } = req.routeOptions.config;
    if (limit === undefined) return;
    if (!isVisited || !isVisit(req)) checkNotOtherSite(req);
    if (limit.per === 'network') await app.countCall(req, limit, networkOf(req.ip));
  });
}

/** Asking for the head alone costs as much. */
function nameOf({ method, routeOptions: { url = '' } }: FastifyRequest): string {
  return `${method === 'HEAD' ? 'GET' : method} ${url}`;
}
