import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { signVisitorProof, verifyVisitorProof } from './visitor-cookie.ts';

const key = Buffer.alloc(32, 1);
const proof = { mappingId: 7, verificationId: 42, expiresAtMs: 2_000 };
const place = { host: 'nas.example.com', scheme: 'http' } as const;
const expected = { ...place, mappingId: 7 };
const value = signVisitorProof(key, place, proof);

function afterLast(text: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return letters[letters.indexOf(text.at(-1) ?? '') + 1] ?? '';
}

test('a cookie proves what it was signed for', () => {
  expect(verifyVisitorProof(key, value, expected)).toEqual(proof);
});

// Verified signatures are cached; a cookie must still count only for what it states.
describe.each([
  ['met for the first time', () => Buffer.alloc(32, 1)],
  ['that has proven itself before', () => key],
])('a cookie %s proves nothing', (_which, keyOf) => {
  verifyVisitorProof(key, value, expected);

  test.each([
    ['on another host', keyOf(), value, { ...expected, host: 'cam.example.com' }],
    ['over another scheme', keyOf(), value, { ...expected, scheme: 'https' as const }],
    ['for another mapping', keyOf(), value, { ...expected, mappingId: 8 }],
    ['under another key', Buffer.alloc(32, 2), value, expected],
    ['with a later expiry written in', keyOf(), value.replace('.2000.', '.9000.'), expected],
    ['with another mapping written in', keyOf(), value.replace('2.7.', '2.8.'), { ...expected, mappingId: 8 }],
    ['without its signature', keyOf(), value.slice(0, value.lastIndexOf('.') + 1), expected],
    // 43 letters carry two bits more than 32 bytes: what differs in them alone is another text for the same bytes.
    ['with another text for the same signature', keyOf(), `${value.slice(0, -1)}${afterLast(value)}`, expected],
    ['with a zero in front of a number', keyOf(), value.replace('.2000.', '.02000.'), expected],
    ['with a shortened signature', keyOf(), value.slice(0, -1), expected],
    ['when it is empty', keyOf(), '', expected],
  ])('%s', (_when, usedKey, text, against) => {
    expect(verifyVisitorProof(usedKey, text, against)).toBeUndefined();
  });
});

test('a cookie from before the scheme was signed proves nothing', () => {
  const signature = createHmac('sha256', key)
    .update('tongtu visitor v1\nnas.example.com\n7\n42\n2000')
    .digest('base64url');
  for (const version of [1, 2])
    expect(verifyVisitorProof(key, `${version}.7.42.2000.${signature}`, expected)).toBeUndefined();
});

test('more cookies than are remembered all prove what they were signed for', () => {
  const visitors = Array.from({ length: 10_001 }, (_, index) => ({ ...proof, verificationId: index + 1 }));
  const cookies = visitors.map((visitor) => signVisitorProof(key, place, visitor));
  for (const round of [1, 2]) {
    const proven = cookies.map((cookie) => verifyVisitorProof(key, cookie, expected)?.verificationId);
    expect([round, proven]).toEqual([round, visitors.map((visitor) => visitor.verificationId)]);
  }
});
