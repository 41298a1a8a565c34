import type { IncomingMessage } from 'node:http';

const NAME = 'www-authenticate';
/** Digest with a long nonce takes 400. */
const MAX_LENGTH = 1024;

/**
 * Drops the challenges of an answer (RFC 9110 §11.6.1) when they are longer than any. The WebDAV library takes the square
 * of their length to read them: 2 seconds, in which all sessions stand still, for what fits into a header.
 */
export function dropLongChallenges(answer: IncomingMessage): void {
  const headers = answer.rawHeaders;
  const values = headers.map((_text, at) => at).filter((at) => at % 2 === 1 && headers[at - 1]?.toLowerCase() === NAME);
  const length = values.reduce((sum, at) => sum + (headers[at]?.length ?? 0), 0);
  // In place: node makes `headers` of these when it is asked for them.
  if (length > MAX_LENGTH) for (const at of values) headers[at] = '';
}
