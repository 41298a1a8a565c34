import type { RequestHead } from '../../codecs/http/request-head.ts';
import type { RouteEntry } from '../../routes/route-entry.ts';
import type { RouteTable } from '../../routes/route-table.ts';
import type { UpstreamPool } from '../../upstream/upstream-stream.ts';
import type { RelayAnswer } from './route-request.ts';
import type { VisitorOrigin } from './visitor-origin.ts';
import { isLocalHost } from './strict-transport.ts';

export type EdgeAnswerDeps = {
  routes: RouteTable;
  /** The pool of a connected device. */
  findDevicePool: (entry: RouteEntry) => UpstreamPool | undefined;
  isConsoleHost: (host: string) => boolean;
  /** The answer to an ACME challenge, by its token. */
  challengeAnswer: (token: string) => string | undefined;
  redirectsToHttps: boolean;
  /** Where browsers reach https. */
  tlsPort: () => number;
};

const CHALLENGE_PREFIX = '/.well-known/acme-challenge/';
const HTTPS_PORT = 443;

/**
 * Answers that come before mappings and policies: ACME challenges, and redirects to https. Undefined when the request
 * is routed as usual.
 */
export function answerAtEdge(
  deps: EdgeAnswerDeps,
  request: RequestHead,
  { scheme }: VisitorOrigin,
): RelayAnswer | undefined {
  const { host, target } = request;
  const isChallenge = scheme === 'http' && target.startsWith(CHALLENGE_PREFIX);
  if (isChallenge) {
    const answer = answerChallenge(deps, request);
    if (answer !== undefined) return answer;
  }
  const entry = deps.isConsoleHost(host) ? undefined : deps.routes.findRoute(host);
  if (entry?.route.tlsPassthrough === true) {
    if (scheme === 'https') return { type: 'page', kind: 'misdirected' };
    if (!hasPlainTarget(deps, entry)) return redirectToHttps(deps, request);
  }
  const mustRedirect = deps.redirectsToHttps && scheme === 'http' && !isChallenge && !isLocalHost(host);
  return mustRedirect ? redirectToHttps(deps, request) : undefined;
}

/** Whether a device with TLS passthrough takes plain requests: it has a target for these alone. */
function hasPlainTarget({ findDevicePool }: EdgeAnswerDeps, entry: RouteEntry): boolean {
  return findDevicePool(entry)?.httpRules?.targets.some(({ isForHttps }) => isForHttps !== true) === true;
}

/** RFC 8555 §8.3. Unknown tokens may belong to a device that orders certificates itself. */
function answerChallenge(
  { routes, isConsoleHost, challengeAnswer }: EdgeAnswerDeps,
  { host, target, method }: RequestHead,
): RelayAnswer | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  if (!isConsoleHost(host) && routes.findRoute(host) === undefined) return undefined;
  const text = challengeAnswer(target.slice(CHALLENGE_PREFIX.length));
  if (text === undefined) return undefined;
  const fields = [
    ['Content-Type', 'text/plain; charset=utf-8'],
    ['Cache-Control', 'no-store'],
    ['X-Content-Type-Options', 'nosniff'],
  ] as const;
  return { type: 'local', answer: { status: 200, fields, body: Buffer.from(text) } };
}

/** 308 keeps method and body, which 301 does not. It is not cached, because the operator may change the setting. */
function redirectToHttps({ tlsPort }: EdgeAnswerDeps, { host, target }: RequestHead): RelayAnswer {
  const port = tlsPort();
  const authority = port === HTTPS_PORT ? host : `${host}:${port}`;
  const fields = [
    ['Location', `https://${authority}${target === '*' ? '/' : target}`],
    ['Cache-Control', 'no-store'],
  ] as const;
  return { type: 'local', answer: { status: 308, fields, body: Buffer.alloc(0) } };
}
