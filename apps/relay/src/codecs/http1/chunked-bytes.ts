import type { BodyPart } from '../http/body-part.ts';
import { fieldLines } from '../http/fields.ts';

/**
 * A part of a body in the chunked coding (RFC 9112 §7.1): the received chunks unchanged, or its payload as one chunk, and
 * the last chunk if the body ends.
 */
export function chunkedBytes(part: BodyPart): Buffer {
  // Not the payload: it is computed on demand.
  return part.chunks ?? encode(part);
}

function encode({ payload, trailers }: BodyPart): Buffer {
  // A chunk without payload would end the body.
  const size = payload.length === 0 ? '' : `${payload.length.toString(16)}\r\n`;
  const end = (size === '' ? '' : '\r\n') + lastChunk(trailers);
  const bytes = Buffer.allocUnsafe(size.length + payload.length + end.length);
  bytes.write(size, 0, 'latin1');
  payload.copy(bytes, size.length);
  bytes.write(end, size.length + payload.length, 'latin1');
  return bytes;
}

function lastChunk(trailers: BodyPart['trailers']): string {
  if (trailers === undefined) return '';
  return `0\r\n${fieldLines(trailers)}\r\n`;
}
