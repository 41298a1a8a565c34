import { networkOf } from '@tongtu/base';
import { AppError, type SsoEvents } from '@tongtu/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Db } from '../../../db/driver.ts';
import { countAgainst } from '../../../http/rate-limit.ts';
import { isSameOrigin } from '../../../http/same-origin.ts';
import { type EventsQuery, type SsoEvent, eventsOf, readEventsQuery } from './read-events.ts';
import { readSsoSteps } from '../sso-login-store.ts';
import type { SsoWaiters, WaitClient } from './sso-waiters.ts';

// What is being written while we check may carry a time a little before ours; a page that goes on from the time of its
// last answer must not step over it.
const COMMIT_GRACE_MS = 1_000;
// All waits that an address may hold are 120 a minute, and as many events; the rest is for those who find no room and ask again.
const MAX_REQUESTS_PER_MINUTE = 600;

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
      const client: WaitClient = { ip: req.ip, pages: isSameOrigin(req) ? 'own' : 'others' };
      const name = client.pages === 'own' ? 'GET /sso/events' : 'GET /sso/events of others';
      const asked = { name, key: networkOf(req.ip) };
      await countAgainst(deps.db, { ...asked, max: MAX_REQUESTS_PER_MINUTE, windowSeconds: 60 });
      if (!deps.waiters.hasRoomFor(client)) return { error: 'Too many clients are waiting.' };
      return await waitForEvents(deps, query, { ...client, signal: createWaitSignal(reply, query.timeoutMs) });
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
  caller: WaitClient & { signal: AbortSignal },
) {
  const { stateHash, category } = query;
  let { sinceMs } = query;
  let readAtMs = 0;
  const check = async (): Promise<SsoEvent[] | undefined> => {
    const { wallClockMs, ...steps } = await readSsoSteps(db, stateHash);
    readAtMs = wallClockMs;
    // Clocks of clients run ahead: the future counts as now, once and for all.
    sinceMs = Math.min(sinceMs ?? wallClockMs, wallClockMs);
    const events = eventsOf(steps, { category, sinceMs });
    return events.length > 0 ? events : undefined;
  };
  const events = await waiters.wait({ ...caller, stateHash, check });
  if (events) return { events };
  return { timeout: 'no events before timeout', timestamp: Math.max(readAtMs - COMMIT_GRACE_MS, sinceMs ?? 0) };
}

/** When the client's time is up, or the client is disconnected. */
function createWaitSignal(reply: FastifyReply, timeoutMs: number): AbortSignal {
  const disconnected = new AbortController();
  reply.raw.once('close', () => disconnected.abort());
  return AbortSignal.any([AbortSignal.timeout(timeoutMs), disconnected.signal]);
}
