import { MAX_HOST_LENGTH } from '@tongtu/contract/limits';

/** The bare host name in whatever the relay's page or a person put into `invalidDomain`. */
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
