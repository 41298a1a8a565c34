import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { loginProof } from '@tongtu/tunnel';

const verifyInPool = promisify(verify);
const KEY_BYTES = 32;
const NONCE_BYTES = 32;

export function createNonce(): string {
  return randomBytes(NONCE_BYTES).toString('base64url');
}

/** Resolves with whether the signature shows that the sender holds the private key and meant this relay and this nonce. */
export async function isLoginProven(login: {
  publicKey: string;
  signature: string;
  nonce: string;
  relayPin: string;
}): Promise<boolean> {
  if (Buffer.from(login.publicKey, 'base64url').length !== KEY_BYTES) return false;
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: login.publicKey }, format: 'jwk' });
    const signature = Buffer.from(login.signature, 'base64url');
    // In a thread of the pool: thousands of agents may log in at once, and visitors must not wait for them.
    return await verifyInPool(null, loginProof(login.nonce, login.relayPin), key, signature);
  } catch {
    // The key's bytes are no point of the curve.
    return false;
  }
}
