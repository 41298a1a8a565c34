/** The same rule as the contract's `Prefix`. */
export const prefixPattern = /^(?!..--)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** The same rule as the contract's `CustomDomain`. */
const customDomainPattern = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/;

/** Extracts the domain name from typed or pasted text: without the rest of a URL, in lower case, in punycode. */
export function readTypedDomain(text: string): string {
  const plain = text
    .normalize('NFKC')
    .replaceAll('。', '.')
    .trim()
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/[:/?#].*$/, '')
    .replace(/\.$/, '');
  // Incomplete names stay as they are. Only names with other than ASCII characters are converted.
  const isForeign = /[^\p{ASCII}]/u.test(plain) && URL.canParse(`http://${plain}`);
  return isForeign ? new URL(`http://${plain}`).hostname : plain.toLowerCase();
}

/** Whether the text can be a custom domain. */
export function isCustomDomain(text: string): boolean {
  const domain = readTypedDomain(text);
  // Browsers refuse invalid punycode.
  return customDomainPattern.test(domain) && URL.canParse(`http://${domain}`);
}
