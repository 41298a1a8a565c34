/**
 * The address that a browser would open, as its parser reads it: a host in Unicode as Punycode, and no character that
 * could hide something. Undefined for anything but web addresses, and for those with a password.
 */
export function linkAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  // "https://bank.example@evil.example/" looks like another host.
  return isWeb && url.username === '' && url.password === '' ? url.href : undefined;
}
