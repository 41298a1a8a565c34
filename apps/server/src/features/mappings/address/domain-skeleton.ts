import { domainToUnicode } from 'node:url';
import { prefixSkeleton } from './reserved-prefix.ts';

/** The skeleton (Unicode TR39): equal for domains that look alike. Accepts Punycode. */
export function domainSkeleton(domain: string): string {
  return domainToUnicode(domain).split('.').map(prefixSkeleton).join('.');
}
