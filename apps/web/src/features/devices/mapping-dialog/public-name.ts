/** The same rule as the contract's `Prefix`. */
export const prefixPattern = /^(?!..--)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** The same rule as the contract's `CustomDomain`. */
const customDomainPattern = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/;

/** The bare name in what was typed or pasted as a domain: a whole address, capitals, Chinese labels as punycode. */
export function readTypedDomain(text: string): string {
  const plain = text
    .normalize('NFKC')
    .replaceAll('。', '.')
    .trim()
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/[:/?#].*$/, '')
    .replace(/\.$/, '');
  // Half-typed names stay as they are; only names that a browser would turn into punycode are turned.
  const isForeign = /[^\p{ASCII}]/u.test(plain) && URL.canParse(`http://${plain}`);
  return isForeign ? new URL(`http://${plain}`).hostname : plain.toLowerCase();
}

/** Whether what was typed can be a domain of the user's own. */
export function isCustomDomain(text: string): boolean {
  const domain = readTypedDomain(text);
  // Browsers refuse punycode that stands for nothing.
  return customDomainPattern.test(domain) && URL.canParse(`http://${domain}`);
}
