import { createDiffieHellman, createDiffieHellmanGroup } from 'node:crypto';
import { expect, test } from 'vitest';
import { openChosenGroup } from './chosen-group.ts';

const prime = createDiffieHellmanGroup('modp2').getPrime();
const generator = Buffer.of(5);

test.each(Array.from({ length: 8 }))('both sides of a chosen group find the same secret', () => {
  const theirs = createDiffieHellman(prime, generator);
  theirs.generateKeys();
  const ours = openChosenGroup(Buffer.concat([Buffer.of(0), prime]), generator); // as SSH writes it
  expect(ours.computeSecret(theirs.getPublicKey())).toEqual(theirs.computeSecret(ours.generateKeys()));
});

test.each([
  ['an even number', Buffer.alloc(128, 0xfe), Buffer.of(2)],
  ['nothing', Buffer.alloc(128), Buffer.of(2)],
])('%s is no group', (_what, number, of) => {
  expect(() => openChosenGroup(number, of)).toThrow();
});

test('many groups of the largest size are opened within the time of a test', () => {
  const largest = createDiffieHellmanGroup('modp16').getPrime();
  for (let count = 0; count < 25; count++) openChosenGroup(largest, generator); // node's own take 3 s each
});
