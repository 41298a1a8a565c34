import { MAX_HOST_LENGTH } from '@tongtu/contract/limits';

/** The host name in `invalidDomain`, which may come from the relay or from a person. */
export function domainOf(text: string): string {
  const withoutScheme = text
    .trim()
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '');
  return withoutScheme
    .replace(/[/?#].*$/, '')
    .replace(/:\d*$/, '')
    .slice(0, MAX_HOST_LENGTH);
}
