import { isLocalHost } from '../../net/local-host.ts';
import type { WebRules } from '../../config/web-rules.ts';

export type StrictTransportDeps = {
  rules: Pick<WebRules, 'hstsSeconds' | 'hstsScope' | 'ownDomains'>;
  isConsoleHost: (host: string) => boolean;
};

/**
 * The Strict-Transport-Security (RFC 6797) of an answer, undefined for none. Never `includeSubDomains` or `preload`:
 * they would bind names that are somebody else's. A custom domain and what a device answers are bound only where the
 * operator asks for it, since their owners could not take it back after they have moved on.
 */
export function strictTransport(
  { rules, isConsoleHost }: StrictTransportDeps,
  answer: { host: string; scheme: 'http' | 'https'; isTenant: boolean },
): string | undefined {
  const { host } = answer;
  // Browsers ignore it over http, and must not be kept from http://localhost.
  if (rules.hstsSeconds === 0 || answer.scheme === 'http' || isLocalHost(host)) return undefined;
  const isOwn = isConsoleHost(host) || rules.ownDomains.some((domain) => host.endsWith(`.${domain}`));
  const isMeant = rules.hstsScope === 'all' || (isOwn && !answer.isTenant);
  return isMeant ? `max-age=${rules.hstsSeconds}` : undefined;
}
