/** The visitor's address and scheme. */
export type VisitorFacts = { address: string; scheme: 'http' | 'https' };

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const DEFAULT_PORTS = { http: '80', https: '443' };

/** The header lines that describe the visitor to a service. They are cached for all requests of a connection. */
export class ForwardedLines {
  readonly #visitor: VisitorFacts;
  #hostField: string | undefined;
  #lines = '';

  constructor(visitor: VisitorFacts) {
    this.#visitor = visitor;
  }

  /** Each with its CRLF. `hostField` must be well-formed. */
  linesFor(hostField: string): string {
    if (hostField !== this.#hostField) {
      this.#lines = forwardedLines(this.#visitor, hostField);
      this.#hostField = hostField;
    }
    return this.#lines;
  }
}

/** `Forwarded` (RFC 7239), and the older fields that most services read. */
function forwardedLines({ address, scheme }: VisitorFacts, hostField: string): string {
  const node = address.includes(':') ? `"[${address}]"` : address;
  const host = TOKEN.test(hostField) ? hostField : `"${hostField}"`;
  const port = /:([0-9]+)$/.exec(hostField)?.[1] ?? DEFAULT_PORTS[scheme];
  return (
    `Forwarded: for=${node};host=${host};proto=${scheme}\r\n` +
    `X-Forwarded-For: ${address}\r\nX-Forwarded-Proto: ${scheme}\r\nX-Forwarded-Host: ${hostField}\r\n` +
    `X-Forwarded-Port: ${port}\r\nX-Real-IP: ${address}\r\n`
  );
}
