import { domainToUnicode } from 'node:url';
import { lookOf } from './reserved-prefix.ts';

// Letters of other scripts that most typefaces draw like a Latin one (Unicode TR39, confusables.txt: the common ones).
const latinTwins: Record<string, string> = {
  ...{ а: 'a', с: 'c', ԁ: 'd', е: 'e', һ: 'h', і: 'i', ј: 'j', ӏ: 'l', ո: 'n', о: 'o', р: 'p', ԛ: 'q', ѕ: 's', у: 'y' },
  ...{ х: 'x', ѵ: 'v', ԝ: 'w', α: 'a', ε: 'e', ι: 'i', κ: 'k', ν: 'v', ο: 'o', ρ: 'p', τ: 't', υ: 'u', χ: 'x' },
  ...{ ɑ: 'a', ɡ: 'g', ı: 'i', ß: 'b', ⅼ: 'l' },
};

/** Equal for domains that are easily mistaken for each other. Takes punycode. */
export function lookOfDomain(domain: string): string {
  return domainToUnicode(domain)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/\P{ASCII}/gu, (letter) => latinTwins[letter] ?? letter)
    .split('.')
    .map(lookOf)
    .join('.');
}
