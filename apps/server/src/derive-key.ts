import { hkdfSync } from 'node:crypto';

/** Derives a key for one purpose from the installation's one key (HKDF, RFC 5869). */
export function deriveKey(sealingKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', sealingKey, '', purpose, 32));
}
