import { isIP } from 'node:net';
import type { WebRules } from '../../config/web-rules.ts';

export type StrictTransportDeps = {
  rules: Pick<WebRules, 'hstsSeconds' | 'hstsScope' | 'ownDomains'>;
  isConsoleHost: (host: string) => boolean;
};

/**
 * The Strict-Transport-Security (RFC 6797) of an answer, undefined for none. Never `includeSubDomains` or `preload`:
 * they would bind names of other owners. Custom domains and answers of devices get it only when the operator's setting
 * says so, because their owners could not revoke it after they have moved elsewhere.
 */
export function strictTransport(
  { rules, isConsoleHost }: StrictTransportDeps,
  answer: { host: string; scheme: 'http' | 'https'; isTenant: boolean },
): string | undefined {
  const { host } = answer;
  // Browsers ignore it over http, and http://localhost must stay reachable.
  if (rules.hstsSeconds === 0 || answer.scheme === 'http' || isLocalHost(host)) return undefined;
  const isOwn = isConsoleHost(host) || rules.ownDomains.some((domain) => host.endsWith(`.${domain}`));
  const isMeant = rules.hstsScope === 'all' || (isOwn && !answer.isTenant);
  return isMeant ? `max-age=${rules.hstsSeconds}` : undefined;
}

/** Hosts for which no authority issues certificates: addresses, and names that never leave the machine. */
export function isLocalHost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || isIP(host) !== 0;
}
