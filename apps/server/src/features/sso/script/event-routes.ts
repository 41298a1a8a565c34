import { networkOf } from '@tongtu/base';
import { AppError, type SsoEvents } from '@tongtu/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Db } from '../../../db/driver.ts';
import { countAgainst } from '../../../http/limits/rate-limit.ts';
import { isSameOrigin } from '../../../http/browser/same-origin.ts';
import { type EventsQuery, type SsoEvent, eventsOf, readEventsQuery } from './read-events.ts';
import { readSsoSteps } from '../sso-login-store.ts';
import type { SsoWaiters, WaitClient } from './sso-waiters.ts';

// A step that commits during a read may have an earlier time than the read. The returned timestamp is earlier by this
// much, so that the next poll does not miss it.
const COMMIT_GRACE_MS = 1_000;
// One network's waits take up to 120 requests a minute, and their events as many. The rest is for refused retries.
const MAX_REQUESTS_PER_MINUTE = 600;

export type EventRoutesDeps = { db: Db; waiters: SsoWaiters };

/** Serves the long poll like golongpoll: always 200. Any client that knows the state may call it, from any origin. */
export function registerEventRoutes(scope: FastifyInstance, deps: EventRoutesDeps): void {
  scope.get('/events', async (req, reply): Promise<SsoEvents> => {
    reply.header('cache-control', 'no-store');
    // The call has no credentials: only the state in the category counts.
    reply.header('access-control-allow-origin', '*');
    reply.header('cross-origin-resource-policy', 'cross-origin');
    const query = readEventsQuery(req.query);
    if ('error' in query) return query;
    try {
      // Any page may call this. Pages of other sites have limits of their own, so that they do not use up the console's.
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
    // A client's clock may be ahead. A time in the future is replaced by the time of the first read.
    sinceMs = Math.min(sinceMs ?? wallClockMs, wallClockMs);
    const events = eventsOf(steps, { category, sinceMs });
    return events.length > 0 ? events : undefined;
  };
  const events = await waiters.wait({ ...caller, stateHash, check });
  if (events) return { events };
  return { timeout: 'no events before timeout', timestamp: Math.max(readAtMs - COMMIT_GRACE_MS, sinceMs ?? 0) };
}

/** Aborts at the timeout or when the client disconnects. */
function createWaitSignal(reply: FastifyReply, timeoutMs: number): AbortSignal {
  const disconnected = new AbortController();
  reply.raw.once('close', () => disconnected.abort());
  return AbortSignal.any([AbortSignal.timeout(timeoutMs), disconnected.signal]);
}
