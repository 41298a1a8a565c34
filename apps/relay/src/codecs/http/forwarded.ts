import type { Origin, Scheme } from './origin-rewrite.ts';

/** The visitor's address and scheme. */
export type VisitorFacts = { address: string; scheme: Scheme };

/** What a service learns of a request: the origin that it was for, and how much of its visitor. */
export type ForwardedFacts = { origin: Origin; visitorFields: 'send' | 'omit_address' | 'omit' };

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const DEFAULT_PORTS = { http: '80', https: '443' };

/** The header lines that describe the visitor to a service. They are cached for all requests of a connection. */
export class ForwardedLines {
  readonly #address: string;
  #key = '';
  #lines = '';

  constructor({ address }: VisitorFacts) {
    this.#address = address;
  }

  /** Each with its CRLF. Its authority must be a well-formed Host field. */
  linesFor({ origin, visitorFields }: ForwardedFacts): string {
    if (visitorFields === 'omit') return '';
    const key = `${visitorFields} ${origin.scheme} ${origin.authority}`;
    if (key !== this.#key) {
      this.#lines = forwardedLines(visitorFields === 'send' ? this.#address : undefined, origin);
      this.#key = key;
    }
    return this.#lines;
  }
}

/** `Forwarded` (RFC 7239), and the older fields that most services read. */
function forwardedLines(address: string | undefined, { scheme, authority }: Origin): string {
  // With a port it would be a quoted string, which some parsers (code-server's) do not read. The Host says the same.
  const host = TOKEN.test(authority) ? `host=${authority};` : '';
  const port = /:([0-9]+)$/.exec(authority)?.[1] ?? DEFAULT_PORTS[scheme];
  const requested = `X-Forwarded-Proto: ${scheme}\r\nX-Forwarded-Host: ${authority}\r\nX-Forwarded-Port: ${port}\r\n`;
  if (address === undefined) return `Forwarded: ${host}proto=${scheme}\r\n${requested}`;
  const node = address.includes(':') ? `"[${address}]"` : address;
  return (
    `Forwarded: for=${node};${host}proto=${scheme}\r\n` +
    `X-Forwarded-For: ${address}\r\n${requested}X-Real-IP: ${address}\r\n`
  );
}
