import { createHash, timingSafeEqual, type X509Certificate } from 'node:crypto';

/** The server at the relay's address has another key than the relay. */
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
