import { hkdfSync } from 'node:crypto';

/** A key for one purpose, made of the installation's one key. */
export function deriveKey(sealingKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', sealingKey, '', purpose, 32));
}
