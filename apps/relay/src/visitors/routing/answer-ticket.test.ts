import { describe, expect, test } from 'vitest';
import { nextPath } from './answer-ticket.ts';

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
