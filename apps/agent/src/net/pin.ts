import { timingSafeEqual } from 'node:crypto';

/** The server at the relay's address has another key than the relay. */
export class PinMismatchError extends Error {
  override readonly name = 'PinMismatchError';
}

export function isSamePin(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}
