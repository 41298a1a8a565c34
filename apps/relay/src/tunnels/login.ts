import { createHash, createPublicKey, randomBytes, verify, X509Certificate } from 'node:crypto';
import { loginProof } from '@tongtu/tunnel';

const KEY_BYTES = 32;
const NONCE_BYTES = 32;

/** What agents pin: base64url SHA-256 of the certificate's public key (SPKI, DER). */
export function certificatePin(certPem: string): string {
  const key = new X509Certificate(certPem).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64url');
}

export function createNonce(): string {
  return randomBytes(NONCE_BYTES).toString('base64url');
}

/** Whether the signature shows that the sender holds the private key and meant this relay and this nonce. */
export function isLoginProven(login: {
  publicKey: string;
  signature: string;
  nonce: string;
  relayPin: string;
}): boolean {
  if (Buffer.from(login.publicKey, 'base64url').length !== KEY_BYTES) return false;
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: login.publicKey }, format: 'jwk' });
    return verify(null, loginProof(login.nonce, login.relayPin), key, Buffer.from(login.signature, 'base64url'));
  } catch {
    // Bytes that are no point of the curve.
    return false;
  }
}
