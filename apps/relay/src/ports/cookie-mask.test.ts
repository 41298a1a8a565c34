import { consoleCookies } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { visitorCookieNames } from '../access/visitor-cookie.ts';
import { CookieMask } from './cookie-mask.ts';

const SECRET = 'S3cret_-'.repeat(8);
const isConsoleHost = (host: string) => host === 'example.com';

function request(cookie: string, { host = 'example.com:20001', rest = '' } = {}): string {
  return `GET / HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\nAccept: */*\r\n\r\n${rest}`;
}

/** What the service gets when the text arrives in pieces of this size. */
function passed(text: string, size = text.length): string {
  const mask = new CookieMask(isConsoleHost);
  const pieces: Buffer[] = [];
  for (let at = 0; at < text.length; at += size) {
    const piece = Buffer.from(text.slice(at, at + size), 'latin1');
    mask.apply(piece);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('latin1');
}

test.each([...Object.keys(consoleCookies), ...visitorCookieNames])('the value of %s is masked', (name) => {
  const cookie = (value: string) => request(`theme=dark; ${name}=${value}; lang=zh`);
  expect(passed(cookie(SECRET))).toBe(cookie('x'.repeat(SECRET.length)));
});

test('it is masked in every request of a connection, wherever the bytes are cut', () => {
  const body = 'sessionid=' + SECRET;
  const text = (value: string) =>
    request(`a=1; sessionid=${value};csrftoken=${value}`, { rest: body }).replace('GET', 'POST') +
    request(`sessionid=${value}`) +
    request('b=2');
  const masked = text('x'.repeat(SECRET.length));
  expect(passed(text(SECRET))).toBe(masked);
  for (let size = 1; size < 200; size++) expect([size, passed(text(SECRET), size)]).toEqual([size, masked]);
});

// `fetch` accepts any token as a method, so the page of a mapping chooses how the next connection begins.
test.each(['x', 'a-b', 'get', 'M'.repeat(30), '!#$%&*+.^_`|~1'])(
  'it is masked in a request by the method %s',
  (method) => {
    const text = (value: string) => request(`sessionid=${value}`).replace('GET', () => method);
    expect(passed(text(SECRET))).toBe(text('x'.repeat(SECRET.length)));
  },
);

test.each([
  ['an app’s own cookie of the same name', request('sessionid=abcdefghijklmnopqrstuvwxyz012345')],
  ['at a host that is no console', request(`sessionid=${SECRET}`, { host: 'nas.example.com:20001' })],
  ['names that only look alike', request(`xsessionid=${SECRET}; sessionid2=${SECRET}; a=sessionid=${SECRET}`)],
  ['another field', `GET / HTTP/1.1\r\nHost: example.com\r\nX-Cookie: sessionid=${SECRET}\r\n\r\n`],
  ['another protocol', `SSH-2.0-Client\r\nCookie: sessionid=${SECRET}\r\n`],
  ['bytes', `\x16\x03\x01GET / HTTP/1.1\r\nCookie: sessionid=${SECRET}\r\n`],
])('it passes untouched: %s', (_what, text) => {
  expect(passed(text)).toBe(text);
});

test('a visitor’s own cookie is masked at every host', () => {
  const text = (value: string) => request(`tongtu_visitor=2.1.2.${value}`, { host: 'nas.example.com:20001' });
  expect(passed(text(SECRET))).not.toContain(SECRET);
});

// The relay serves everybody in one thread. When the rest of the bytes was searched for each of them, it took minutes.
test.each([';', 'a=;', '\r\nCookie:'])('millions of bytes %j of a visitor take no longer than others', (piece) => {
  const text = request('', { rest: `\r\nCookie: ${piece.repeat(3_000_000 / piece.length)}\r\n` });
  expect(passed(text) === text).toBe(true);
});
