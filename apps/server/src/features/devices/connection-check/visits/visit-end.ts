import type { TrialAnswer, TrialResult } from '@tongtu/contract';
import { isPrivateAddress } from '@tongtu/base';
import { isIP } from 'node:net';

/** Where a visitor ends up. */
export type VisitEnd =
  /** `stray`: the origin of what the page needs, or of a form, that visitors cannot use. */
  | { type: 'page'; answer: TrialAnswer; stray?: string }
  /** The page leads to an address that the visitor has to reach by itself. */
  | { type: 'away'; answer: TrialAnswer; to: URL; why: Away }
  | { type: 'failed'; failure: string; takesSockets?: boolean };

/** `site`: another public address, such as a login of its own. */
export type Away = 'circle' | 'lan' | 'http' | 'port' | 'site';

/** An address as a browser shows it. */
export type ShownOrigin = { scheme: 'http' | 'https'; authority: string };

/** A name that public DNS does not know. */
const LOCAL_NAME = /^[^.]+$|\.(?:local|lan|home|home\.arpa|internal|localdomain)$/;

export function visitEnd({ answers, failure, socket }: TrialResult, shown: ShownOrigin): VisitEnd {
  const answer = answers.at(-1);
  if (failure !== null || answer === undefined)
    return { type: 'failed', failure: failure ?? 'target-lost', takesSockets: socket === 101 };
  const to = redirectOf(answer, shown);
  if (to !== undefined) return { type: 'away', answer, to, why: whyAway(to, shown) };
  const stray = answer.origins.find((origin) => isStray(new URL(origin), shown));
  return { type: 'page', answer, ...(stray !== undefined && { stray }) };
}

function redirectOf({ location, target }: TrialAnswer, { scheme, authority }: ShownOrigin): URL | undefined {
  if (location === null) return undefined;
  const base = `${scheme}://${authority}${target}`;
  return URL.canParse(location, base) ? new URL(location, base) : undefined;
}

function whyAway(to: URL, { scheme, authority }: ShownOrigin): Away {
  const here = new URL(`${scheme}://${authority}/`);
  if (to.origin === here.origin) return 'circle';
  if (to.hostname === here.hostname) return to.protocol === 'http:' && to.port === '' ? 'http' : 'port';
  return isLocal(to.hostname.replaceAll(/^\[|\]$/g, '')) ? 'lan' : 'site';
}

/** Whether a browser of a visitor does not load it: out of reach, or http within a page of https. */
function isStray({ protocol, hostname, port, origin }: URL, { scheme, authority }: ShownOrigin): boolean {
  const here = new URL(`${scheme}://${authority}/`);
  if (origin === here.origin) return false;
  if (isLocal(hostname.replaceAll(/^\[|\]$/g, '')) || (scheme === 'https' && protocol === 'http:')) return true;
  // The same name is usually there by the other scheme as well, but at no other port.
  return hostname === here.hostname && (port !== '' || protocol === here.protocol);
}

function isLocal(host: string): boolean {
  return isIP(host) === 0 ? LOCAL_NAME.test(host) : isPrivateAddress(host);
}

/** Statuses of a service that runs, although there is no page: it may be for programs. */
const FOR_PROGRAMS = new Set([404, 405, 406, 426, 501]);
const REACHED = 5;
const FOR_PROGRAMS_RANK = 3;
export const OWN_LOGIN = 4;

/** How well a visitor fares: 5 a page, 4 the service’s own login, 3 an answer for programs, 2 refused, 1 an error, 0 nothing. */
export function rankOf(end: VisitEnd): number {
  switch (end.type) {
    case 'failed':
      return end.takesSockets === true ? FOR_PROGRAMS_RANK : 0;
    case 'away':
      return end.why === 'site' ? REACHED : 1;
    case 'page':
      return rankOfAnswer(end.answer);
  }
}

/** Somebody in the LAN gets to its other addresses as well. */
function rankInLan(end: VisitEnd): number {
  return end.type === 'away' && end.why !== 'circle' ? REACHED : rankOf(end);
}

function rankOfAnswer({ status, authenticate, isBlank }: TrialAnswer): number {
  if (status < 400) return isBlank ? FOR_PROGRAMS_RANK : REACHED;
  if (status === 401 && authenticate !== null) return OWN_LOGIN;
  if (FOR_PROGRAMS.has(status)) return FOR_PROGRAMS_RANK;
  return status < 500 ? 2 : 1;
}

/** What is worse for a visitor than for somebody in the LAN; undefined: nothing. */
export type Worse = 'page' | 'needs' | 'script' | 'socket' | 'form';

export type Visited = { result: TrialResult; end: VisitEnd };

export function whatIsWorse(visitor: Visited, direct: Visited): Worse | undefined {
  const rank = rankOf(visitor.end);
  // A login that the LAN does without is the service’s own decision about visitors.
  if (rank < Math.min(rankInLan(direct.end), OWN_LOGIN)) return 'page';
  if (visitor.end.type === 'page' && visitor.end.stray !== undefined) return 'needs';
  const page = visitor.end.type === 'page' ? visitor.end.answer.status : undefined;
  const isWorse = (name: 'script' | 'socket') =>
    // The same answer as for the page is the page’s.
    visitor.result[name] !== page && isRefused(visitor.result[name], direct.result[name]);
  if (isWorse('script')) return 'script';
  if (isWorse('socket')) return 'socket';
  return isRefused(visitor.result.form?.status ?? null, direct.result.form?.status ?? null) ? 'form' : undefined;
}

/**
 * A form without its token is refused for another reason than in the LAN, which the answers show by their text alone. That
 * they differ proves nothing; that they are the same with other settings does.
 */
export function mayRefuseForms(visitor: Visited, direct: Visited): boolean {
  const [one, other] = [visitor.result.form, direct.result.form];
  if (typeof one?.digest !== 'string' || typeof other?.digest !== 'string') return false;
  return REFUSALS.has(one.status) && one.status === other.status && one.digest !== other.digest;
}

const REFUSALS = new Set([400, 401, 403, 421]);

function isRefused(visitor: number | null, direct: number | null): boolean {
  if (visitor === null || direct === null) return false;
  return (REFUSALS.has(visitor) || visitor >= 500) && !REFUSALS.has(direct) && direct < 500;
}
