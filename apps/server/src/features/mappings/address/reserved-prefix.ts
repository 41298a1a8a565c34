import { skeletonOf } from '@tongtu/base';

/** Names that visitors could mistake for a part of the service. */
const reservedPrefixes = [
  ...['www', 'api', 'admin', 'administrator', 'console', 'root', 'system', 'internal', 'localhost', 'test'],
  ...['mail', 'smtp', 'imap', 'pop', 'webmail', 'ftp', 'ns', 'ns1', 'ns2', 'ns3', 'ns4', 'dns', 'mx', 'autoconfig'],
  ...['autodiscover', 'wpad', 'static', 'cdn', 'assets', 'login', 'signin', 'auth', 'oauth', 'sso', 'account'],
  ...['accounts', 'security', 'verify', 'pay', 'payment', 'billing', 'support', 'help', 'service', 'official'],
  ...['status', 'relay', 'tunnel', 'tongtu', 'welcome'],
];
const reservedSkeletons = new Set(reservedPrefixes.map(prefixSkeleton));

/** True for reserved names, names that look like them (`adm1n`, `l0gin`, `log-in`), and the installation's own names. */
export function isReservedPrefix(prefix: string, ownPrefixes: ReadonlySet<string>): boolean {
  return reservedSkeletons.has(prefixSkeleton(prefix)) || ownPrefixes.has(prefix);
}

/** The skeleton of a prefix: equal for prefixes that look alike. */
export function prefixSkeleton(prefix: string): string {
  return skeletonOf(prefix.replaceAll('-', ''));
}
