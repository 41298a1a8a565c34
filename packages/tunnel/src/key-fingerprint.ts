import { createHash } from 'node:crypto';

const SHOWN_BYTES = 8;

/** A device's public key as people compare it on two screens, e.g. `3F9A 1C22 B07E 91D4`. */
export function keyFingerprint(publicKey: string): string {
  const hash = createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest();
  const digits = hash.subarray(0, SHOWN_BYTES).toString('hex').toUpperCase();
  return digits.replaceAll(/(.{4})(?!$)/g, '$1 ');
}
