import { expect, test } from 'vitest';
import { expiringCookies, readCookie } from './planted-cookies.ts';

const long = (name: string, bytes = 4000) => ({ name, bytes });
const many = Array.from({ length: 20 }, (_, index) => long(`b${index}`));

test('cookies expire for every domain and path from which they may come', () => {
  const cookies = [long('a', 40_000)];
  const lines = expiringCookies({ hostField: 'console.example.com:8080', target: '/api/user/?a=/b', cookies });
  const paths = ['/', '/api', '/api/', '/api/user', '/api/user/'];
  const domains = ['', '; Domain=console.example.com', '; Domain=example.com'];
  expect(lines.toSorted()).toEqual(
    paths.flatMap((path) => domains.map((domain) => `a=; Path=${path}${domain}; Max-Age=0`)).toSorted(),
  );
});

test.each(['192.0.2.1:8080', '[2001:db8::1]', 'localhost', ''])('at %s there is no domain to name', (hostField) => {
  expect(expiringCookies({ hostField, target: '/', cookies: [long('a', 40_000)] })).toEqual(['a=; Path=/; Max-Age=0']);
});

test('the longest cookies expire until the rest fits into a head, and those of one host never do', () => {
  const cookies = [long('sessionid', 60), ...many, long('__Host-sessionid', 100)];
  const lines = expiringCookies({ hostField: 'localhost', target: '/', cookies });
  const names = lines.map((line) => line.split('=')[0]);
  expect(names).toEqual(many.slice(0, 16).map(({ name }) => name)); // of 80 KB 16 KB are left
  expect(expiringCookies({ hostField: 'localhost', target: '/', cookies: many.slice(0, 4) })).toEqual([]);
});

test('the lines of one answer have a limit, and the rest follows later', () => {
  const cookies = Array.from({ length: 60 }, (_, index) => long(`${'n'.repeat(3000)}${index}`));
  const lines = expiringCookies({ hostField: 'a.example.com', target: '/', cookies });
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join('').length).toBeLessThanOrEqual(48 * 1024);
});

test.each(['a b=1', 'a\tb=1', '=1', 'alone', ' ;', 'a,b=1', 'ü=1'])(
  'a pair without a name that Set-Cookie knows: %j',
  (pair) => {
    expect(readCookie(pair)).toBeUndefined();
  },
);
