import { domainToUnicode } from 'node:url';
import { prefixSkeleton } from './reserved-prefix.ts';

// Common confusables of other scripts for Latin letters (Unicode TR39, confusables.txt).
const latinConfusables: Record<string, string> = {
  ...{ а: 'a', с: 'c', ԁ: 'd', е: 'e', һ: 'h', і: 'i', ј: 'j', ӏ: 'l', ո: 'n', о: 'o', р: 'p', ԛ: 'q', ѕ: 's', у: 'y' },
  ...{ х: 'x', ѵ: 'v', ԝ: 'w', α: 'a', ε: 'e', ι: 'i', κ: 'k', ν: 'v', ο: 'o', ρ: 'p', τ: 't', υ: 'u', χ: 'x' },
  ...{ ɑ: 'a', ɡ: 'g', ı: 'i', ß: 'b', ⅼ: 'l' },
};

/** The skeleton (Unicode TR39): equal for domains that look alike. Accepts Punycode. */
export function domainSkeleton(domain: string): string {
  return domainToUnicode(domain)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/\P{ASCII}/gu, (letter) => latinConfusables[letter] ?? letter)
    .split('.')
    .map(prefixSkeleton)
    .join('.');
}
