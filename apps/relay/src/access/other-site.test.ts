import { expect, test } from 'vitest';
import { isFromOtherSite } from './other-site.ts';

const visit = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const frame = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };
const ahead = { 'sec-fetch-site': 'none', 'sec-purpose': 'prefetch', ...visit };
const own = 'https://cam.example.com';
const other = 'https://evil.example.com';

function verdict(method: string, headers: Record<string, string>): string {
  const fields = Object.entries(headers).map(([key, value]) => ({ name: key, key, value }));
  const isOwners = ({ host, port }: { host: string; port: number }) => host === 'cam.example.com' && port === 443;
  return isFromOtherSite({ method, fields }, isOwners) ? 'another site' : 'counts';
}

test.each<[what: string, method: string, headers: Record<string, string>, expected: string]>([
  ['a program', 'POST', {}, 'counts'],
  ['a program with a Referer of its own', 'GET', { referer: `${other}/` }, 'counts'],
  ['a page of the owner’s', 'POST', { origin: own }, 'counts'],
  ['another page', 'POST', { origin: other }, 'another site'],
  ['another page that fetches', 'GET', { origin: other, 'sec-fetch-site': 'same-site' }, 'another site'],
  ['another page, whatever it has for a Referer', 'POST', { origin: other, referer: `${own}/` }, 'another site'],
  ['what is no address', 'GET', { origin: 'nonsense' }, 'another site'],
  ['what looks like an address', 'GET', { origin: 'https://cam.example.com@evil.example.com' }, 'another site'],
  ['an app on a phone', 'GET', { origin: 'capacitor://localhost', 'sec-fetch-site': 'cross-site' }, 'counts'],
  ['an extension', 'POST', { origin: 'chrome-extension://abcdefgh', 'sec-fetch-site': 'none' }, 'counts'],
  ['a person who typed the address', 'GET', { 'sec-fetch-site': 'none', ...visit }, 'counts'],
  ['the same address', 'POST', { origin: 'null', 'sec-fetch-site': 'same-origin' }, 'counts'],
  ['the same address, behind a proxy', 'POST', { origin: 'https://in.lan', 'sec-fetch-site': 'same-origin' }, 'counts'],
  ['a link in another tenant’s page', 'GET', { 'sec-fetch-site': 'same-site', ...visit }, 'counts'],
  ['a link anywhere', 'HEAD', { 'sec-fetch-site': 'cross-site', ...visit }, 'counts'],
  ['a form of another page', 'POST', { origin: other, 'sec-fetch-site': 'same-site', ...visit }, 'another site'],
  ['one that hides where it is', 'POST', { origin: 'null', 'sec-fetch-site': 'cross-site', ...visit }, 'another site'],
  ['a form of the owner’s', 'POST', { origin: own, 'sec-fetch-site': 'same-site', ...visit }, 'counts'],
  ['another tenant’s frame', 'GET', { referer: `${other}/`, 'sec-fetch-site': 'same-site', ...frame }, 'another site'],
  ['a frame of nobody knows whom', 'GET', { 'sec-fetch-site': 'cross-site', ...frame }, 'another site'],
  [
    'a frame in a page of the owner’s',
    'GET',
    { referer: `${own}/a`, 'sec-fetch-site': 'same-site', ...frame },
    'counts',
  ],
  ['an <object>', 'GET', { 'sec-fetch-site': 'same-site', ...visit, 'sec-fetch-dest': 'object' }, 'another site'],
  ['an image', 'GET', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }, 'another site'],
  ['an image for the owner’s page', 'GET', { referer: `${own}/`, 'sec-fetch-site': 'cross-site' }, 'counts'],
  ['an unknown value', 'GET', { 'sec-fetch-site': 'next-door' }, 'another site'],
  ['a sandboxed page', 'GET', { origin: 'null', 'sec-fetch-site': 'cross-site' }, 'another site'],
  [
    'a sandboxed page of the owner’s',
    'GET',
    { origin: 'null', referer: `${own}/`, 'sec-fetch-site': 'cross-site' },
    'counts',
  ],
  ['another page that fetches ahead', 'GET', { referer: `${other}/`, ...ahead }, 'another site'],
  ['one that hides and fetches ahead', 'GET', ahead, 'another site'],
  ['one that renders ahead', 'GET', { ...ahead, 'sec-purpose': 'prefetch;prerender' }, 'another site'],
  ['a prefetch with its site', 'GET', { ...ahead, 'sec-fetch-site': 'same-site' }, 'another site'],
  ['one that fetches ahead, as older browsers say it', 'GET', { purpose: 'prefetch', ...visit }, 'another site'],
  ['one that fetches ahead over plain http', 'GET', { referer: `${other}/`, purpose: 'prefetch' }, 'another site'],
  ['a page of the owner’s that fetches ahead', 'GET', { referer: `${own}/`, ...ahead }, 'counts'],
  ['the same address, fetched ahead', 'GET', { ...ahead, 'sec-fetch-site': 'same-origin' }, 'counts'],
  ['one that hides, over plain http', 'POST', { origin: 'null' }, 'another site'],
  ['a WebSocket of one that hides', 'GET', { origin: 'null', upgrade: 'websocket' }, 'another site'],
])('%s: %s %j – %s', (_what, method, headers, expected) => {
  expect(verdict(method, headers)).toBe(expected);
});
