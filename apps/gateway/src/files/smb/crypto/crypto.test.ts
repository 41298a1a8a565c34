import { expect, test } from 'vitest';
import { cmac } from './cmac.ts';
import { md4 } from './md4.ts';
import { rc4 } from './rc4.ts';

test.each([
  ['', '31d6cfe0d16ae931b73c59d7e0c089c0'],
  ['abc', 'a448017aaf21d8525fc10ae87aa6729d'],
  ['1234567890'.repeat(8), 'e33b4ddc9c38f2199c3e7b164fcc0536'],
])('MD4 of %j is that of RFC 1320', (text, digest) => {
  expect(md4(Buffer.from(text)).toString('hex')).toBe(digest);
});

test.each([
  [0, 'bb1d6929e95937287fa37d129b756746'],
  [16, '070a16b46b4d4144f79bdd9dd04a287c'],
  [40, 'dfa66747de9ae63030ca32611497c827'],
  [64, '51f0bebf7e3b9d92fc49741779363cfe'],
])('the CMAC of %d bytes is that of RFC 4493', (length, code) => {
  const key = Buffer.from('2b7e151628aed2a6abf7158809cf4f3c', 'hex');
  const message = Buffer.from(
    '6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710',
    'hex',
  );
  expect(cmac(key, message.subarray(0, length)).toString('hex')).toBe(code);
});

test('RC4 gives the known stream, and back the text', () => {
  const encrypted = rc4(Buffer.from('Key'), Buffer.from('Plaintext'));
  expect(encrypted.toString('hex')).toBe('bbf316e8d940af0ad3');
  expect(rc4(Buffer.from('Key'), encrypted).toString()).toBe('Plaintext');
});
