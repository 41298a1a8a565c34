import { argon2Sync } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './password-hash.ts';

// From the tests of the reference implementation, github.com/P-H-C/phc-winner-argon2, src/test.c.
const knownAnswers = [
  '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
  '$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc',
  '$argon2id$v=19$m=65536,t=1,p=1$c29tZXNhbHQ$9qWtwbpyPd3vm1rB1GThgPzZ3/ydHL92zKL+15XZypg',
];

test.each(knownAnswers)('a hash by the reference implementation is verified: %s', async (phc) => {
  expect(await verifyPassword('password', phc)).toBe(true);
  expect(await verifyPassword('passwore', phc)).toBe(false);
});

test('a password is hashed with Argon2id, 19 MiB, two passes and one lane, as its PHC string says', async () => {
  const phc = await hashPassword('a long password');

  const [, algorithm, version, cost, salt = '', hash = ''] = phc.split('$');
  expect([algorithm, version, cost]).toEqual(['argon2id', 'v=19', 'm=19456,t=2,p=1']);
  const nonce = Buffer.from(salt, 'base64');
  expect(nonce).toHaveLength(16);
  const parameters = { message: 'a long password', nonce, tagLength: 32, memory: 19_456, passes: 2, parallelism: 1 };
  expect(Buffer.from(hash, 'base64')).toEqual(argon2Sync('argon2id', parameters));
  expect(await verifyPassword('a long password', phc)).toBe(true);
});

test('the same password gets a different hash each time', async () => {
  expect(await hashPassword('a long password')).not.toBe(await hashPassword('a long password'));
});

test('a password is the same in composed and decomposed Unicode', async () => {
  expect(await verifyPassword('cafe\u0301', await hashPassword('caf\u00e9'))).toBe(true);
});

test.each([null, undefined, '', '$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'])(
  'no password matches a missing hash or one of another algorithm: %s',
  async (phc) => {
    expect(await verifyPassword('password', phc)).toBe(false);
  },
);
