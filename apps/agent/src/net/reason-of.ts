import { MuxClosedError, ProtocolError } from '@tongtu/tunnel';
import { PinMismatchError } from './pin.ts';

export const PIN_MISMATCH = 'pin-mismatch';

/** A code for why a connection failed or ended: `ECONNREFUSED`, `timeout`, `closed` … */
export function reasonOf(error: unknown): string {
  if (error === undefined || error instanceof MuxClosedError) return 'closed';
  if (error instanceof ProtocolError) return 'protocol';
  if (error instanceof PinMismatchError) return PIN_MISMATCH;
  if (!(error instanceof Error)) return 'unknown';
  // An abort hides its reason in the cause.
  const source = error.cause instanceof Error ? error.cause : error;
  // What Node.js says when the other end closes in place of an answer.
  if (source.message === 'socket hang up') return 'not-http';
  return 'code' in source && typeof source.code === 'string' ? source.code : source.message;
}
