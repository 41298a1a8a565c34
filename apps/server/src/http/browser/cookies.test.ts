import { expect, test } from 'vitest';
import { type OwnCookie, readCookies } from './cookies.ts';
import type { CallRequest } from '../session.ts';

const own: OwnCookie = { name: 'sessionid', form: /^[a-z]+$/ };

function read(cookie: string | undefined, protocol: 'http' | 'https' = 'http'): string[] {
  const req = { protocol, headers: { cookie } } as unknown as CallRequest; // only these are read
  return readCookies(req, own);
}

test('a request without cookies, or with other cookies only, has no value', () => {
  expect(read(undefined)).toEqual([]);
  expect(read('a=b; xsessionid=no; sessionid; sessionidx=no; SESSIONID=no')).toEqual([]);
});

test('of several cookies of one name the last comes first, and values of another format are left out', () => {
  expect(read('sessionid=first; a=b;sessionid = second ; sessionid=Junk; sessionid=')).toEqual(['second', 'first']);
});

test('http and https use different names', () => {
  const both = 'sessionid=plain; __Host-sessionid=secure';
  expect(read(both)).toEqual(['plain']);
  expect(read(both, 'https')).toEqual(['secure']);
});

test('at most 16 values of a name are returned', () => {
  const many = Array.from({ length: 500 }, () => 'sessionid=junk');
  expect(read([...many, 'sessionid=ours'].join('; '))).toEqual(['ours', ...Array(15).fill('junk')]);
});
