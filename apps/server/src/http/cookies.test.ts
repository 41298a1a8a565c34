import { expect, test } from 'vitest';
import { readCookies } from './cookies.ts';
import type { CallRequest } from './session.ts';

const own = { name: 'sessionid', form: /^[a-z]+$/ };

function read(cookie: string | undefined, protocol: 'http' | 'https' = 'http'): string[] {
  const req = { protocol, headers: { cookie } } as unknown as CallRequest; // all that is read of it
  return readCookies(req, own);
}

test('a request without cookies, and one with others only, has none of ours', () => {
  expect(read(undefined)).toEqual([]);
  expect(read('a=b; xsessionid=no; sessionid; sessionidx=no; SESSIONID=no')).toEqual([]);
});

test('of several cookies of one name the last comes first, and what cannot be ours is left out', () => {
  expect(read('sessionid=first; a=b;sessionid = second ; sessionid=Junk; sessionid=')).toEqual(['second', 'first']);
});

test('each scheme has names of its own', () => {
  const both = 'sessionid=plain; __Host-sessionid=secure';
  expect(read(both)).toEqual(['plain']);
  expect(read(both, 'https')).toEqual(['secure']);
});

test('however many there are, no more are tried than a browser of good faith could have', () => {
  const many = Array.from({ length: 500 }, () => 'sessionid=junk');
  expect(read([...many, 'sessionid=ours'].join('; '))).toEqual(['ours', ...Array(15).fill('junk')]);
});
