/** Who asks, and over what. */
export type VisitorFacts = { address: string; scheme: 'http' | 'https' };

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const DEFAULT_PORTS = { http: '80', https: '443' };

/** The lines that tell a service of its visitor. Kept from one request of a connection to the next. */
export class ForwardedLines {
  readonly #visitor: VisitorFacts;
  #hostField: string | undefined;
  #lines = '';

  constructor(visitor: VisitorFacts) {
    this.#visitor = visitor;
  }

  /** Each with its CRLF. The Host field is one that was found to be well-formed. */
  linesFor(hostField: string): string {
    if (hostField !== this.#hostField) {
      this.#lines = forwardedLines(this.#visitor, hostField);
      this.#hostField = hostField;
    }
    return this.#lines;
  }
}

/** By RFC 7239, and by the older fields that most services read. */
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
