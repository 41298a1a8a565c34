import { AppError, callLimits, CheckQuery } from '@tongtu/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendFailure } from '../../http/problem.ts';
import { isNavigation } from '../../http/browser/same-origin.ts';
import { readHost } from '../devices/index.ts';
import { findMapping, mappingDomain, mappingUrl } from '../mappings/index.ts';
import type { RefusalRecorder } from '../refused-visits/index.ts';
import { findMappingOfCode } from '../sharing/index.ts';
import { callerOf, loginOf } from './caller.ts';
import { checkUrl } from './check-url.ts';
import type { Visitor } from './find-grounds.ts';
import type { FindVisitDeps } from './find-visit.ts';
import { type EntryRequest, sendForwardPage, sendNoticePage, withoutTraces } from './forward-page.ts';
import { recordRefusal } from './record-refusals.ts';
import { countRecentTickets } from './ticket-store.ts';
import { readVisitedUrl } from './address/visited-url.ts';

/**
 * Tickets of one session for one mapping in half a minute. A browser that keeps no cookie of the mapping returns after each;
 * the check page then says so.
 */
const MAX_RECENT_TICKETS = 3;
const RECENT_SECONDS = 30;
/** 16 bytes, as `createShareCode` makes them. */
const SHARE_CODE = /^[\w-]{22}$/;

export type EnterDeps = FindVisitDeps & { refusals: RefusalRecorder };

/**
 * `/custom/enter?url=…`, to which relays send a visitor without a proof, and `/s/{code}`, a share link. Both redirect a
 * browser that may pass to the mapping, with a ticket; they lead all others to the check page.
 */
export function registerEnterRoutes(app: FastifyInstance, deps: EnterDeps): void {
  app.get<{ Querystring: EnterQuery }>(
    '/custom/enter',
    pageOf('GET /custom/enter', leaveToCheck),
    async (req, reply) => {
      // What a page makes a browser load unseen uses no ticket. Without a session there is nothing to look up.
      const login = isVisit(req) ? loginOf(await app.callGuard.sessions.find({ req, reply })) : undefined;
      const url = urlOf(req);
      return login === undefined ? sendForwardPage(reply, { url }) : await enter(deps, { req, reply }, { url, login });
    },
  );

  app.get<{ Params: { code: string } }>('/s/:code', pageOf('GET /s/{code}', sayTryLater), async (req, reply) => {
    const { code } = req.params;
    const shared = SHARE_CODE.test(code) ? await findShared(deps, code) : undefined;
    if (shared === undefined) {
      const text = '它不完整，或者它分享的地址已被删除。请向分享给您的人要一个新的。';
      return sendNoticePage(reply.code(404), { title: '分享链接无效', text });
    }
    // The mapping may have another address since, which those who had the link are not to learn.
    if (shared.hasEnded) {
      if (isVisit(req)) {
        const login = loginOf(await app.callGuard.sessions.find({ req, reply }));
        recordRefusal(deps.refusals, { req, login }, { ...shared.at, reason: 'share_ended' });
      }
      const text = '它已过期或被撤销。请向分享给您的人要一个新的。';
      return sendNoticePage(reply.code(410), { title: '分享链接已失效', text });
    }
    const { url } = shared;
    // Programs that show a preview of a link follow redirects, and each would count as a browser that came by the link.
    if (!isVisit(req) || !saysNavigation(req)) return sendForwardPage(reply, { url, share: code });
    const login = loginOf(await app.callGuard.sessions.find({ req, reply }));
    return await enter(deps, { req, reply }, { url, share: code, login });
  });
}

type EnterQuery = { url?: string | string[] };

/** The options of a page with a limit. Beyond the limit, people get a page in place of the error reply. */
function pageOf(
  call: 'GET /custom/enter' | 'GET /s/{code}',
  sendPage: (req: FastifyRequest, reply: FastifyReply) => FastifyReply,
) {
  return {
    config: { limit: callLimits[call], allowsNavigation: true },
    errorHandler(error: unknown, req: FastifyRequest, reply: FastifyReply): FastifyReply {
      const isForPeople = error instanceof AppError && error.code === 'request.too-many' && isVisit(req);
      return isForPeople && acceptsHtml(req) ? sendPage(req, reply) : sendFailure(error, req, reply);
    },
  } as const;
}

/** The check page has a limit of its own and says when to try again. */
function leaveToCheck(req: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendForwardPage(reply, { url: urlOf(req) });
}

function sayTryLater(_req: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendNoticePage(reply.code(429), { title: '打开得太频繁', text: '请稍后再打开这个链接。' });
}

function urlOf({ query }: FastifyRequest): string {
  return [(query as EnterQuery).url ?? ''].flat()[0] ?? ''; // as the query parser makes it
}

function acceptsHtml({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') === true;
}

type EnterCall = { req: FastifyRequest; reply: FastifyReply };

/** Redirects with a ticket, or leads to the check page, which decides again and says what is missing. */
async function enter(
  deps: FindVisitDeps,
  { req, reply }: EnterCall,
  { url, share, login }: EntryRequest & Pick<Visitor, 'login'>,
): Promise<FastifyReply> {
  const input = { url, share, login, consoleHost: readHost(req.host), caller: callerOf(req) };
  // The check page refuses an address that is too long, and explains a loop.
  const isForCheckPage = !CheckQuery.safeParse({ url, share }).success || (await isLooping(deps, input));
  const verdict = isForCheckPage ? undefined : await checkUrl(deps, input).catch(refusalOnly);
  if (verdict?.reason !== 'ok' || verdict.redirect === undefined) return sendForwardPage(reply, { url, share });
  return withoutTraces(reply).redirect(verdict.redirect, 302);
}

async function isLooping(
  { db }: FindVisitDeps,
  { login, url }: EntryRequest & Pick<Visitor, 'login'>,
): Promise<boolean> {
  const host = readVisitedUrl(url)?.host;
  if (login === undefined || host === undefined) return false;
  const { sessionId } = login;
  return (await countRecentTickets(db, { sessionId, host, withinSeconds: RECENT_SECONDS })) >= MAX_RECENT_TICKETS;
}

/** The check page explains a refusal. Every other error is a fault of the server. */
function refusalOnly(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error;
  return undefined;
}

type Shared = {
  url: string;
  hasEnded: boolean;
  at: { ownerId: number; mappingId: number; deviceId: number; host: string };
};

async function findShared(deps: FindVisitDeps, code: string): Promise<Shared | undefined> {
  const shared = await findMappingOfCode(deps.db, code);
  const mapping = shared && (await findMapping(deps.db, shared.mappingId, shared.ownerId));
  if (!mapping) return undefined;
  const { ownerId, mappingId, hasEnded } = shared;
  const at = { ownerId, mappingId, deviceId: mapping.deviceId, host: mappingDomain(mapping) };
  return { url: `${mappingUrl(deps, mapping)}/`, hasEnded, at };
}

/** A person follows a link or types the address. A frame, a prefetch and a request for the head alone are no visits. */
function isVisit(req: FastifyRequest): boolean {
  return req.method === 'GET' && isNavigation(req);
}

/** Whether the browser says itself that it navigates. Browsers do over https and on localhost. */
function saysNavigation({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}
