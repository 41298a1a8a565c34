import { expect, test } from 'vitest';
import { type BrowserRequest, isSameOrigin, pageSourceOf } from './page-source.ts';

type Said = Partial<Omit<BrowserRequest, 'headerOf'>> & { headers: Record<string, string> };

function request({ headers, ...said }: Said): BrowserRequest {
  const usual = { method: 'POST', scheme: 'https', hostField: 'example.com', isUpgrade: false } as const;
  return { ...usual, ...said, headerOf: (name) => headers[name] };
}
const socket = { method: 'GET', isUpgrade: true } as const;
const own = 'https://example.com';

test.each<[string, Said]>([
  ['the own origin', { headers: { origin: own } }],
  ['the own origin in other letters', { headers: { origin: 'HTTPS://Example.COM' } }],
  ['a port that https has anyway', { hostField: 'example.com:443', headers: { origin: own } }],
  ['another port of both', { hostField: 'example.com:8443', headers: { origin: 'https://example.com:8443' } }],
  ['an address', { scheme: 'http', hostField: '[::1]:8080', headers: { origin: 'http://[::1]:8080' } }],
  ['a page over http', { scheme: 'http', headers: { origin: 'http://example.com' } }],
  ['a WebSocket', { ...socket, headers: { origin: own, 'sec-fetch-site': 'same-origin' } }],
  ['a page that has read no origin', { method: 'GET', headers: { 'sec-fetch-site': 'same-origin' } }],
  ['a typed address', { method: 'GET', headers: { 'sec-fetch-site': 'none' } }],
  ['a page over http that links', { scheme: 'http', method: 'GET', headers: { referer: 'http://example.com/a' } }],
  // The browser has compared the scheme, which the proxy hides.
  ['a hidden https', { scheme: 'http', headers: { origin: own, 'sec-fetch-site': 'same-origin' } }],
])('the page is of the same origin: %s', (_what, said) => {
  expect(pageSourceOf(request(said))).toBe('own');
});

test.each<[string, Said]>([
  ['http asks https', { headers: { origin: 'http://example.com' } }],
  ['http asks a WebSocket of https', { ...socket, headers: { origin: 'http://example.com' } }],
  ['https asks http', { scheme: 'http', headers: { origin: own } }],
  [
    'https asks http, and the browser says so',
    { scheme: 'http', headers: { origin: own, 'sec-fetch-site': 'cross-site' } },
  ],
  ['the own name with the http scheme', { headers: { origin: 'http://example.com', 'sec-fetch-site': 'same-origin' } }],
  ['another port', { headers: { origin: 'https://example.com:8443' } }],
  ['the port of http', { headers: { origin: 'https://example.com:80' } }],
  ['a sibling', { headers: { origin: 'https://nas.example.com' } }],
  ['the own name as the beginning of another', { headers: { origin: 'https://example.com.evil.test' } }],
  ['a name with a dot at its end', { headers: { origin: 'https://example.com.' } }],
  ['an origin that hides itself', { headers: { origin: 'null' } }],
  ['a hidden origin that the browser knows', { headers: { origin: 'null', 'sec-fetch-site': 'same-origin' } }],
  ['an empty origin', { headers: { origin: '' } }],
  ['two origins', { headers: { origin: `${own}, ${own}` } }],
  ['two origins in the old form', { headers: { origin: `${own} ${own}` } }],
  ['an origin with a user', { headers: { origin: 'https://a@example.com' } }],
  ['an origin with a path', { headers: { origin: `${own}/a` } }],
  ['no URL', { headers: { origin: 'example.com' } }],
  ['a program’s origin', { headers: { origin: 'chrome-extension://abc' } }],
  ['another site', { method: 'GET', headers: { 'sec-fetch-site': 'cross-site' } }],
  ['a sibling that reads', { method: 'GET', headers: { 'sec-fetch-site': 'same-site' } }],
  ['the own origin that the browser denies', { headers: { origin: own, 'sec-fetch-site': 'cross-site' } }],
  ['the browser says two things', { headers: { origin: own, 'sec-fetch-site': 'same-origin, cross-site' } }],
  ['a typed address that changes something', { headers: { origin: own, 'sec-fetch-site': 'none' } }],
  ['a prefetch', { method: 'GET', headers: { 'sec-fetch-site': 'none', 'sec-purpose': 'prefetch' } }],
  ['a prefetch that says no more', { method: 'GET', headers: { 'sec-purpose': 'prefetch' } }],
  ['a WebSocket without an origin', { ...socket, headers: {} }],
  ['a WebSocket without an origin that says same-origin', { ...socket, headers: { 'sec-fetch-site': 'same-origin' } }],
  ['a typed WebSocket', { ...socket, headers: { origin: own, 'sec-fetch-site': 'none' } }],
  ['a WebSocket with a referer alone', { ...socket, headers: { referer: `${own}/` } }],
  ['a referer of another page', { method: 'GET', headers: { referer: 'https://nas.example.com/' } }],
  ['a referer over http', { method: 'GET', headers: { referer: 'http://example.com/' } }],
])('the page is of another origin: %s', (_what, said) => {
  expect([pageSourceOf(request(said)), isSameOrigin(request(said))]).toEqual(['other', false]);
});

test('without a word about a page a request may read, but not change', () => {
  expect(isSameOrigin(request({ method: 'GET', headers: {} }))).toBe(true);
  expect(isSameOrigin(request({ method: 'POST', headers: {} }))).toBe(false);
  expect(pageSourceOf(request({ headers: {} }))).toBe('unknown');
});
