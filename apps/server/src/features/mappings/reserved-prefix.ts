/** Names that a visitor would take for a part of the service itself. */
const reservedPrefixes = [
  ...['www', 'api', 'admin', 'administrator', 'console', 'root', 'system', 'internal', 'localhost', 'test'],
  ...['mail', 'smtp', 'imap', 'pop', 'webmail', 'ftp', 'ns', 'ns1', 'ns2', 'ns3', 'ns4', 'dns', 'mx', 'autoconfig'],
  ...['autodiscover', 'wpad', 'static', 'cdn', 'assets', 'login', 'signin', 'auth', 'oauth', 'sso', 'account'],
  ...['accounts', 'security', 'verify', 'pay', 'payment', 'billing', 'support', 'help', 'service', 'official'],
  ...['status', 'relay', 'tunnel', 'tongtu', 'welcome'],
];
const reservedLooks = new Set(reservedPrefixes.map(lookOf));

/** True for reserved names, for those that look the same at a glance (`adm1n`, `l0gin`, `log-in`), and for the service's own. */
export function isReservedPrefix(prefix: string, ownPrefixes: ReadonlySet<string>): boolean {
  return reservedLooks.has(lookOf(prefix)) || ownPrefixes.has(prefix);
}

/** Equal for names that are easily mistaken for each other. */
export function lookOf(prefix: string): string {
  return prefix
    .replaceAll('-', '')
    .replaceAll('0', 'o')
    .replaceAll(/[1i]/g, 'l')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}
