import type { RequestHead } from '../../codecs/http/request-head.ts';
import type { RouteTable } from '../../routes/route-table.ts';
import type { RelayAnswer } from './route-request.ts';
import type { VisitorOrigin } from './visitor-origin.ts';
import { isLocalHost } from './strict-transport.ts';

export type EdgeAnswerDeps = {
  routes: RouteTable;
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
  const route = deps.isConsoleHost(host) ? undefined : deps.routes.findRoute(host)?.route;
  if (route?.tlsPassthrough === true) {
    // With TLS passthrough the relay never sends plain requests to the device.
    return scheme === 'http' ? redirectToHttps(deps, request) : { type: 'page', kind: 'misdirected' };
  }
  const mustRedirect = deps.redirectsToHttps && scheme === 'http' && !isChallenge && !isLocalHost(host);
  return mustRedirect ? redirectToHttps(deps, request) : undefined;
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
