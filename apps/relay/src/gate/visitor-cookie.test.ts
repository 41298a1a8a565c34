import { describe, expect, test } from 'vitest';
import { nextPath } from './next-path.ts';
import { signVisitorProof, verifyVisitorProof } from './visitor-cookie.ts';

const key = Buffer.alloc(32, 1);
const proof = { mappingId: 7, verificationId: 42, expiresAtMs: 2_000 };
const expected = { host: 'nas.example.com', mappingId: 7, nowMs: 1_000 };
const value = signVisitorProof(key, 'nas.example.com', proof);

test('a cookie proves what it was signed for', () => {
  expect(verifyVisitorProof(key, value, expected)).toEqual(proof);
});

describe('a cookie proves nothing', () => {
  test.each([
    ['on another host', key, value, { ...expected, host: 'cam.example.com' }],
    ['for another mapping', key, value, { ...expected, mappingId: 8 }],
    ['once it has expired', key, value, { ...expected, nowMs: 2_000 }],
    ['under another key', Buffer.alloc(32, 2), value, expected],
    ['with a later expiry written in', key, value.replace('.2000.', '.9000.'), expected],
    ['with another mapping written in', key, value.replace('1.7.', '1.8.'), { ...expected, mappingId: 8 }],
    ['without its signature', key, value.slice(0, value.lastIndexOf('.') + 1), expected],
    ['with a shortened signature', key, value.slice(0, -1), expected],
    ['when it is empty', key, '', expected],
  ])('%s', (_when, usedKey, text, against) => {
    expect(verifyVisitorProof(usedKey, text, against)).toBeUndefined();
  });
});

describe('after the verification a visitor stays on the host', () => {
  test.each(['/', '/x?y=z', '/a//b', '/%E4%BD%A0', '/~user/'])('%s is followed', (path) => {
    expect(nextPath(path)).toBe(path);
  });
  test.each([
    null,
    '',
    'x',
    '//evil.example',
    '/\\evil.example',
    '\\/evil.example',
    'https://evil.example',
    '/x\r\nSet-Cookie: a=1',
    '/x\ty',
    '/x y',
    '/a\\b',
    '/\u0000',
    '/你',
    ' /x',
    `/${'x'.repeat(9000)}`,
  ])('%j is not', (path) => {
    expect(nextPath(path)).toBe('/');
  });
});
