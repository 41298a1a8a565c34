export type VisitedUrl = {
  /** Canonical, safe to send to a browser. */
  href: string;
  origin: string;
  /** Lower case, without port. */
  host: string;
  port: number;
  pathAndQuery: string;
  /** With its `#`, or empty. */
  fragment: string;
};

// Letters, digits, dots and hyphens only: no user name, no percent-encoded or Unicode host, no address in brackets.
const visited = /^(https?):\/\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::(\d{1,5}))?(?:[/?#]|$)/i;
// Browsers drop or rewrite these characters, so they could open another address than the one checked here.
const rewritten = /[\\\s\p{Cc}\p{Cf}]/u;

/** Parses an address that every browser reads the same way; undefined for all others. */
export function readVisitedUrl(text: string): VisitedUrl | undefined {
  const match = visited.exec(text);
  if (!match || rewritten.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const [, protocol = '', host = '', port = defaultPort(url.protocol)] = match;
  const isAsRead = url.protocol === `${protocol.toLowerCase()}:` && url.hostname === host.toLowerCase();
  if (!isAsRead || url.username !== '' || url.password !== '' || portOf(url) !== Number(port)) return undefined;
  // A path that starts with `//` would mean another host where it stands alone, such as in a Location field.
  const pathAndQuery = `${url.pathname.replace(/^\/+/, '/')}${url.search}`;
  return {
    href: `${url.origin}${pathAndQuery}${url.hash}`,
    origin: url.origin,
    host: url.hostname,
    port: portOf(url),
    pathAndQuery,
    fragment: url.hash,
  };
}

/** The port that the address names or implies. */
export function portOf(url: URL): number {
  return Number(url.port === '' ? defaultPort(url.protocol) : url.port);
}

function defaultPort(protocol: string): string {
  return protocol === 'https:' ? '443' : '80';
}
