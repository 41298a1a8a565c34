import { expect, test } from 'vitest';
import { readCsrfToken } from './read-csrf-token.ts';

test.each([
  ['', undefined],
  ['a=b; xcsrftoken=no; csrftoken', undefined],
  ['a=b; csrftoken=salt.sign-_1', 'salt.sign-_1'],
  ['__Host-csrftoken=other; csrftoken=own', 'own'],
  ['csrftoken=junk; csrftoken=own', 'junk, own'],
  ['csrftoken=%; csrftoken=汉字; csrftoken=a,b; csrftoken=; csrftoken=own', 'own'],
])('over http the client sends for %j: %j', (cookies, token) => {
  expect(readCsrfToken(cookies, 'http:')).toBe(token);
});

test('over https the cookie that other hosts cannot set is preferred', () => {
  expect(readCsrfToken('csrftoken=junk; __Host-csrftoken=own', 'https:')).toBe('own');
});

test('over https behind a proxy that the server does not trust, the plain cookie is sent', () => {
  expect(readCsrfToken('csrftoken=own', 'https:')).toBe('own');
});

test('the header stays short, however many cookies there are', () => {
  const many = Array.from({ length: 100 }, (_, index) => `csrftoken=t${index}`).join('; ');
  expect(readCsrfToken(many, 'http:')?.split(', ')).toHaveLength(8);
});
