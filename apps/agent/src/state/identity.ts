import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { must } from '@tongtu/base';

/** The key pair that identifies the device, independent of its hardware. */
export type Identity = {
  /** PKCS8, DER, base64url: what the state file keeps. */
  privateKey: string;
  /** The raw 32 bytes, base64url: what the relay knows the device by. */
  publicKey: string;
  sign(bytes: Buffer): string;
};

export function createIdentity(): Identity {
  return identityOf(generateKeyPairSync('ed25519').privateKey);
}

/** Throws when the text is not an Ed25519 key. */
export function readIdentity(privateKey: string): Identity {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64url'), format: 'der', type: 'pkcs8' });
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`a key of type ${key.asymmetricKeyType}`);
  return identityOf(key);
}

function identityOf(key: KeyObject): Identity {
  return {
    privateKey: key.export({ format: 'der', type: 'pkcs8' }).toString('base64url'),
    publicKey: must(createPublicKey(key).export({ format: 'jwk' }).x, 'public key'),
    sign: (bytes) => sign(null, bytes, key).toString('base64url'),
  };
}
