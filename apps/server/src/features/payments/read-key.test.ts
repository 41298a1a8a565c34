import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { readPrivateKey, readPublicKey } from './read-key.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

test.for(['pkcs8', 'pkcs1'] as const)('a private key in %s is read as PEM and as bare base64', (type) => {
  const pem = privateKey.export({ type, format: 'pem' }).toString();
  const bare = privateKey.export({ type, format: 'der' }).toString('base64');
  expect(readPrivateKey(`\n${pem}\n`).equals(privateKey)).toBe(true);
  expect(readPrivateKey(`${bare}\n`).equals(privateKey)).toBe(true);
});

test.for(['spki', 'pkcs1'] as const)('a public key in %s is read as PEM and as bare base64', (type) => {
  const pem = publicKey.export({ type, format: 'pem' }).toString();
  const bare = publicKey.export({ type, format: 'der' }).toString('base64');
  expect(readPublicKey(pem).equals(publicKey)).toBe(true);
  expect(readPublicKey(bare.replaceAll(/(.{64})/g, '$1\n')).equals(publicKey)).toBe(true);
});

test('keys that are none, too short or of another kind are refused', () => {
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = (key: typeof privateKey): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
  expect(() => readPrivateKey(pem(short.privateKey))).toThrow('2048');
  expect(() => readPrivateKey(pem(curve.privateKey))).toThrow('2048');
  for (const text of ['', 'no key', 'AAAA', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----']) {
    expect(() => readPrivateKey(text)).toThrow();
    expect(() => readPublicKey(text)).toThrow();
  }
  expect(() => readPublicKey(pem(privateKey))).toThrow('private key');
});
