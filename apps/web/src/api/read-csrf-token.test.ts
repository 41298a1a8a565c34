import { expect, test } from 'vitest';
import { readCsrfToken } from './read-csrf-token.ts';

test.each([
  ['', undefined],
  ['a=b; xcsrftoken=no; csrftoken', undefined],
  ['a=b; csrftoken=salt.sign-_1', 'salt.sign-_1'],
  ['__Host-csrftoken=other; csrftoken=own', 'own'],
  ['csrftoken=junk; csrftoken=own', 'junk, own'],
  ['csrftoken=%; csrftoken=汉字; csrftoken=a,b; csrftoken=; csrftoken=own', 'own'],
])('over http the page sends of %j: %j', (cookies, token) => {
  expect(readCsrfToken(cookies, 'http:')).toBe(token);
});

test('over https a cookie that a neighbouring host cannot have set goes before all others', () => {
  expect(readCsrfToken('csrftoken=junk; __Host-csrftoken=own', 'https:')).toBe('own');
});

test('over https that the server does not see, its plain cookie is sent', () => {
  expect(readCsrfToken('csrftoken=own', 'https:')).toBe('own');
});

test('however many there are, the header stays short', () => {
  const many = Array.from({ length: 100 }, (_, index) => `csrftoken=t${index}`).join('; ');
  expect(readCsrfToken(many, 'http:')?.split(', ')).toHaveLength(8);
});
