/** The origin of a page as browsers compare it, except that http and https are the same. */
export type PageOrigin = { host: string; port: number };

const WEB_ADDRESS = /^(https?):\/\/([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?(?:[/?#]|$)/i;

/** Of an Origin or Referer; undefined when it is no http(s) URL. The host is spelt as in routes. */
export function pageOriginOf(address: string): PageOrigin | undefined {
  const match = WEB_ADDRESS.exec(address);
  if (match === null) return undefined;
  const [, scheme = '', authority = '', port] = match;
  const host = authority.toLowerCase().replace(/^\[|\]$|\.$/g, '');
  return { host, port: port === undefined ? defaultPort(scheme.toLowerCase()) : Number(port) };
}

/** The port that a visitor came to, by the Host field. */
export function portOf(hostField: string, scheme: 'http' | 'https'): number {
  const port = /:([0-9]+)$/.exec(hostField)?.[1];
  return port === undefined ? defaultPort(scheme) : Number(port);
}

export function defaultPort(scheme: string): number {
  return scheme === 'https' ? 443 : 80;
}
