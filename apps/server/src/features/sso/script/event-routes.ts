import { networkOf } from '@tongtu/base';
import { AppError, type SsoEvents } from '@tongtu/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Db } from '../../../db/driver.ts';
import { countAgainst } from '../../../http/rate-limit.ts';
import { isSameOrigin } from '../../../http/same-origin.ts';
import { type EventsQuery, type SsoEvent, eventsOf, readEventsQuery } from './read-events.ts';
import { readSsoSteps } from '../sso-login-store.ts';
import type { SsoWaiters, WaitAsker } from './sso-waiters.ts';

// What is being written while we look may carry a time a little before ours; a page that goes on from the time of its
// last answer must not step over it.
const WRITING_MS = 1_000;
// All waits that an address may hold are 120 a minute, and as many events; the rest is for those who find no room and ask again.
const MAX_ASKED_A_MINUTE = 600;

export type EventRoutesDeps = { db: Db; waiters: SsoWaiters };

/** The long poll, as golongpoll answers it: always 200. Whoever knows the state may ask, from any origin. */
export function registerEventRoutes(scope: FastifyInstance, deps: EventRoutesDeps): void {
  scope.get('/events', async (req, reply): Promise<SsoEvents> => {
    reply.header('cache-control', 'no-store');
    // No credentials go with it: the state in the category is all that counts.
    reply.header('access-control-allow-origin', '*');
    reply.header('cross-origin-resource-policy', 'cross-origin');
    const query = readEventsQuery(req.query);
    if ('error' in query) return query;
    try {
      // Any page may ask, and those of other sites use up nothing of our own pages'.
      const asker: WaitAsker = { ip: req.ip, pages: isSameOrigin(req) ? 'own' : 'others' };
      const name = asker.pages === 'own' ? 'GET /sso/events' : 'GET /sso/events of others';
      const asked = { name, key: networkOf(req.ip) };
      await countAgainst(deps.db, { ...asked, max: MAX_ASKED_A_MINUTE, windowSeconds: 60 });
      if (!deps.waiters.hasRoomFor(asker)) return { error: 'Too many clients are waiting.' };
      return await waitForEvents(deps, query, { ...asker, signal: endOf(reply, query.timeoutMs) });
    } catch (error) {
      if (error instanceof AppError) return { error: 'Too many requests.' };
      req.log.error({ err: error }, 'a long poll failed');
      return { error: 'Internal error.' };
    }
  });
}

async function waitForEvents(
  { db, waiters }: EventRoutesDeps,
  query: EventsQuery,
  caller: WaitAsker & { signal: AbortSignal },
) {
  const { stateHash, category } = query;
  let { sinceMs } = query;
  let lookedAtMs = 0;
  const look = async (): Promise<SsoEvent[] | undefined> => {
    const { wallClockMs, ...steps } = await readSsoSteps(db, stateHash);
    lookedAtMs = wallClockMs;
    // Clocks of clients run ahead: the future counts as now, once and for all.
    sinceMs = Math.min(sinceMs ?? wallClockMs, wallClockMs);
    const events = eventsOf(steps, { category, sinceMs });
    return events.length > 0 ? events : undefined;
  };
  const events = await waiters.wait({ ...caller, stateHash, look });
  if (events) return { events };
  return { timeout: 'no events before timeout', timestamp: Math.max(lookedAtMs - WRITING_MS, sinceMs ?? 0) };
}

/** When the client's time is up, or the client is gone. */
function endOf(reply: FastifyReply, timeoutMs: number): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return AbortSignal.any([AbortSignal.timeout(timeoutMs), gone.signal]);
}
