import { AppError, type Route } from '@tongtu/contract';
import { fieldValue } from '../../codecs/http/fields.ts';
import type { VisitorFacts } from '../../codecs/http/forwarded.ts';
import type { RequestHead } from '../../codecs/http/request-head.ts';
import type { ConnectionLimit } from '../../net/connection-limit.ts';
import type { LocalResponse } from '../../codecs/http/local-response.ts';
import type { PageKind } from '../../pages/page-texts.ts';
import { isPassing } from '../../control/passing-refusal.ts';
import type { TicketRedemption } from '../../control/server-rpcs.ts';
import { findVisitorProof } from '../../access/find-visitor-proof.ts';
import { signVisitorProof, visitorCookieName } from '../../access/visitor-cookie.ts';
import type { VisitorProof } from '../../access/visitor-proof.ts';

export type TicketDeps = {
  gateKey: () => Buffer | undefined;
  /** Redeems the ticket. Throws AppError: `gate.ticket-invalid`, or `server.unavailable` without an answer. */
  redeem: (redemption: TicketRedemption) => Promise<VisitorProof>;
  /** Limits redemptions in progress: each is work for the database, even with a made-up ticket. */
  redemptions: ConnectionLimit;
  wallClockMs: () => number;
};

export type TicketAnswer = { type: 'page'; kind: PageKind } | { type: 'local'; answer: LocalResponse };

// The longest lifetime that browsers allow (RFC 6265bis §5.5): the end of a proof is in the proof itself and in the
// routes, which may extend it, see docs/adr/0014.
const COOKIE_SECONDS = 400 * 24 * 3_600;
const VERIFY_PATH = '/.tongtu/verify';
const NEXT_PATH = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/;
const MAX_NEXT_LENGTH = 8192;
/** 32 bytes, as the server makes them. */
const TICKET = /^[A-Za-z0-9_-]{43}$/;
/** The length that is sent to the server. */
export const MAX_USER_AGENT_LENGTH = 512;

/** `/.tongtu/verify?ticket=…&next=…` on a mapping's host; beside it there is `answerDomainCheck`. */
export function answerTicket(
  deps: TicketDeps,
  route: Route,
  request: RequestHead,
  visitor: VisitorFacts,
): TicketAnswer | { type: 'later'; response: Promise<TicketAnswer> } {
  const [path, query = ''] = splitOnce(request.target, '?');
  if (path !== VERIFY_PATH || request.method !== 'GET') return { type: 'page', kind: 'no-page' };
  const parameters = new URLSearchParams(query);
  const ticket = parameters.get('ticket') ?? '';
  const next = nextPath(parameters.get('next'));
  const findHeld = () =>
    findVisitorProof(deps.gateKey(), route, { fields: request.fields, scheme: visitor.scheme }, deps.wallClockMs());
  // A verified visitor with a redeemed ticket is redirected.
  const refused = (kind: PageKind): TicketAnswer =>
    findHeld() === undefined ? { type: 'page', kind } : { type: 'local', answer: redirect(next) };
  if (!TICKET.test(ticket)) return refused('ticket-invalid');
  const leave = deps.redemptions.enter(visitor.address);
  if (leave === undefined) return refused('verification-unavailable');
  const userAgent = (fieldValue(request.fields, 'user-agent') ?? '').slice(0, MAX_USER_AGENT_LENGTH);
  const held = findHeld();
  const redemption = {
    ...{ ticket, host: route.host, visitorIp: visitor.address, userAgent },
    ...(held && { verificationId: held.verificationId }),
  };
  const letIn = async (): Promise<TicketAnswer> => {
    const outcome = await redeemTicket(deps, route, visitor, redemption);
    leave();
    if (typeof outcome === 'string') return refused(outcome);
    return { type: 'local', answer: redirect(next, visitorCookie(outcome.cookie, visitor)) };
  };
  return { type: 'later', response: letIn() };
}

/** The cookie for the ticket, or the page for its visitor. Never rejects. */
async function redeemTicket(
  deps: TicketDeps,
  route: Route,
  { scheme }: VisitorFacts,
  redemption: TicketRedemption,
): Promise<{ cookie: string } | PageKind> {
  try {
    const proof = await deps.redeem(redemption);
    const gateKey = deps.gateKey();
    if (gateKey === undefined || proof.mappingId !== route.mappingId) return 'ticket-invalid';
    return { cookie: signVisitorProof(gateKey, { host: route.host, scheme }, proof) };
  } catch (error) {
    if (error instanceof AppError && error.code === 'gate.too-many-proofs') return 'too-many-proofs';
    return isPassing(error) ? 'verification-unavailable' : 'ticket-invalid';
  }
}

function visitorCookie(value: string, { scheme }: VisitorFacts): string {
  const secure = scheme === 'https' ? '; Secure' : '';
  return `${visitorCookieName(scheme)}=${value}; Path=/; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}

function redirect(next: string, cookie?: string): LocalResponse {
  const fields: Array<readonly [string, string]> = [
    ['Location', next],
    ['Cache-Control', 'no-store'],
    ['Referrer-Policy', 'no-referrer'],
  ];
  if (cookie !== undefined) fields.push(['Set-Cookie', cookie]);
  return { status: 302, fields, body: Buffer.alloc(0) };
}

/** The target after a verification: a path of the same host, or `/` for any other text. */
export function nextPath(text: string | null): string {
  return text !== null && text.length <= MAX_NEXT_LENGTH && NEXT_PATH.test(text) ? text : '/';
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}
