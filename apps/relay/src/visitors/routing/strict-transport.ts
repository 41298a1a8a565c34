import { isIP } from 'node:net';
import type { WebRules } from '../../config/web-rules.ts';

const HTTPS_PORT = 443;
/** Half a year, in seconds. */
const MAX_AUTO_AGE = 15_552_000;

export type StrictTransportDeps = {
  rules: Pick<WebRules, 'hstsSeconds' | 'hstsScope' | 'ownDomains'>;
  isConsoleHost: (host: string) => boolean;
  /** Where browsers reach the TLS port. */
  tlsPort: () => number;
  /** Until when browsers trust the certificate of a name; 0: they do not. */
  trustedUntilMs: (host: string) => number;
  wallClockMs: () => number;
};

export type SecuredAnswer = {
  host: string;
  scheme: 'http' | 'https';
  /** Whether it comes from a device. */
  isTenant: boolean;
  /** Whether TLS ends here, and not at a proxy with a certificate that the relay does not know. */
  endsTls: boolean;
};

/**
 * The Strict-Transport-Security (RFC 6797) of an answer, undefined for none. Never `includeSubDomains` or `preload`:
 * they would bind names of other owners. Custom domains and answers of devices get it only when the operator's setting
 * says so, because their owners could not revoke it after they have moved elsewhere.
 */
export function strictTransport(deps: StrictTransportDeps, answer: SecuredAnswer): string | undefined {
  const { rules, isConsoleHost } = deps;
  const { host } = answer;
  // Browsers ignore it over http, and http://localhost must stay reachable.
  if (answer.scheme === 'http' || isLocalHost(host)) return undefined;
  if (rules.hstsSeconds === 'auto') return automatic(deps, answer);
  const isOwn = isConsoleHost(host) || rules.ownDomains.some((domain) => host.endsWith(`.${domain}`));
  // A browser counts the first field only: behind a proxy this would be in the way of the proxy's own.
  if (rules.hstsSeconds === 0) return isOwn && !answer.isTenant && answer.endsTls ? 'max-age=0' : undefined;
  const isMeant = rules.hstsScope === 'all' || (isOwn && !answer.isTenant);
  return isMeant ? `max-age=${rules.hstsSeconds}` : undefined;
}

/**
 * Never longer than the certificate lasts: if its renewal fails, no browser is bound to https any more when it has ended.
 * HSTS counts for all ports of a name. With another port than 443 it would turn http://NAME:8080 into https://NAME:8080.
 */
function automatic(deps: StrictTransportDeps, { host, isTenant, endsTls }: SecuredAnswer): string | undefined {
  if (isTenant || !endsTls || !deps.isConsoleHost(host) || deps.tlsPort() !== HTTPS_PORT) return undefined;
  const seconds = Math.floor((deps.trustedUntilMs(host) - deps.wallClockMs()) / 1000);
  return seconds > 0 ? `max-age=${Math.min(seconds, MAX_AUTO_AGE)}` : undefined;
}

/** Hosts for which no authority issues certificates: addresses, and names that never leave the machine. */
export function isLocalHost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || isIP(host) !== 0;
}
