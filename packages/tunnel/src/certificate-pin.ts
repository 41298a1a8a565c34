import { createHash, type X509Certificate } from 'node:crypto';

/** What agents pin of a relay: base64url SHA-256 of the public key (SPKI, DER) of its certificate. */
export function certificatePin(certificate: X509Certificate): string {
  return createHash('sha256')
    .update(certificate.publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
}
