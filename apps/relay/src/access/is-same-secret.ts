import { createHash, timingSafeEqual } from 'node:crypto';

/** Hashes have equal length, so the comparison takes constant time. */
export function isSameSecret(a: string, b: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(a), hash(b));
}
