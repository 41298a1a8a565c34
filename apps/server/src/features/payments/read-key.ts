import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

const MIN_RSA_BITS = 2048;

/** Reads an RSA key in PEM, or in bare base64 as Alipay's key tool writes it. Throws when it is none, or a short one. */
export function readPrivateKey(text: string): KeyObject {
  return rsaKey(readEither(text, (key) => createPrivateKey(key), ['pkcs8', 'pkcs1']));
}

/** Reads an RSA public key in PEM, a certificate in PEM, or bare base64. Throws as `readPrivateKey`. */
export function readPublicKey(text: string): KeyObject {
  // Node derives the public key of a private one, which would hide that the wrong file was chosen.
  if (text.includes('PRIVATE KEY')) throw new Error('a private key in place of a public one');
  return rsaKey(readEither(text, (key) => createPublicKey(key), ['spki', 'pkcs1']));
}

type Encoding = 'pkcs8' | 'pkcs1' | 'spki';
type KeyInput = string | { key: Buffer; format: 'der'; type: never };

function readEither(text: string, read: (key: KeyInput) => KeyObject, encodings: Encoding[]): KeyObject {
  if (text.includes('-----BEGIN')) return read(text.trim());
  const key = Buffer.from(text, 'base64');
  const failures: unknown[] = [];
  for (const type of encodings) {
    try {
      return read({ key, format: 'der', type: type as never }); // each reader gets the encodings that it knows
    } catch (error) {
      failures.push(error);
    }
  }
  throw new AggregateError(failures, 'neither PEM nor base64 of a key');
}

function rsaKey(key: KeyObject): KeyObject {
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== 'rsa' || bits < MIN_RSA_BITS) throw new Error('not an RSA key of 2048 bits or more');
  return key;
}
