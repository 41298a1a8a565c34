import type { Mapping } from '@tongtu/contract';
import { isWildcard } from '@tongtu/contract/wildcard-domains';

/** Whether a browser can open the mapping's address: it is no port, and no wildcard, which is many names. */
export function isOneWebAddress({ port, domain }: Pick<Mapping, 'port' | 'domain'>): boolean {
  return port === null && !isWildcard(domain);
}
