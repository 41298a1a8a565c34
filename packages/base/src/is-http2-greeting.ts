/** What follows the length of a SETTINGS frame on the whole connection: its type, no flags, and stream 0. */
const SETTINGS = Buffer.of(4, 0, 0, 0, 0, 0).toString('latin1');

/**
 * Whether the first bytes of a service, as latin1, are those of HTTP/2, which begins with its settings (RFC 9113 §3.4).
 * Services of gRPC speak nothing else.
 */
export function isHttp2Greeting(text: string): boolean {
  return text.startsWith('\0') && text.startsWith(SETTINGS, 3);
}
