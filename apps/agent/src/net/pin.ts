import { createHash, timingSafeEqual, type X509Certificate } from 'node:crypto';

/** Whoever answers at the relay's address is not the relay. */
export class PinMismatchError extends Error {
  override readonly name = 'PinMismatchError';
}

/** base64url SHA-256 of a certificate's public key (SPKI, DER). */
export function pinOf(certificate: X509Certificate): string {
  return createHash('sha256')
    .update(certificate.publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
}

export function isSamePin(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}
