import { describe, expect, test } from 'vitest';
import { type Origin, OriginRewrite } from './origin-rewrite.ts';

function between(shown: Origin, sent: Origin): OriginRewrite {
  return new OriginRewrite({ shown, sent, ofPages: sent, davScheme: sent.scheme, inAnswers: () => [sent] });
}

const rewrite = between(
  { scheme: 'https', authority: 'NAS.example.com:8443' },
  { scheme: 'http', authority: '192.168.1.1:5000' },
);

describe('what a visitor sends about the public origin is rewritten to the service’s', () => {
  test.each([
    ['origin', 'https://nas.example.com:8443', 'http://192.168.1.1:5000'],
    ['referer', 'https://nas.example.com:8443/a?b=c', 'http://192.168.1.1:5000/a?b=c'],
    ['referer', 'https://nas.example.com:8443', 'http://192.168.1.1:5000'],
    ['destination', 'https://nas.example.com:8443/dav/new%20name', 'http://192.168.1.1:5000/dav/new%20name'],
  ])('%s: %s', (key, value, expected) => expect(rewrite.requestValue(key, value)).toBe(expected));
});

describe('another origin stays unchanged, so that the service’s CSRF check still sees it', () => {
  test.each([
    ['origin', 'https://evil.example'],
    ['origin', 'null'],
    ['origin', 'http://nas.example.com:8443'],
    ['origin', 'https://nas.example.com'],
    ['origin', 'https://nas.example.com:8443.evil.example'],
    ['origin', 'https://evil.nas.example.com:8443'],
    ['referer', 'https://nas.example.com:8443@evil.example/'],
    ['referer', 'https://evil.example/https://nas.example.com:8443/'],
    ['referer', 'https:\\\\nas.example.com:8443\\'],
    ['x-url', 'https://nas.example.com:8443/'],
  ])('%s: %s', (key, value) => expect(rewrite.requestValue(key, value)).toBe(value));
});

describe('what the service sends about its own origin is rewritten to the public one', () => {
  test.each([
    ['location', 'http://192.168.1.1:5000/a?b#c', 'https://NAS.example.com:8443/a?b#c'],
    ['location', 'HTTP://192.168.1.1:5000', 'https://NAS.example.com:8443'],
    ['location', '//192.168.1.1:5000/a', '//NAS.example.com:8443/a'],
    ['content-location', 'http://192.168.1.1:5000/a', 'https://NAS.example.com:8443/a'],
    ['access-control-allow-origin', 'http://192.168.1.1:5000', 'https://NAS.example.com:8443'],
    ['refresh', '0;url=http://192.168.1.1:5000/a', '0;url=https://NAS.example.com:8443/a'],
    ['refresh', '5; URL="http://192.168.1.1:5000/a"', '5; URL="https://NAS.example.com:8443/a"'],
  ])('%s: %s', (key, value, expected) => expect(rewrite.responseValue(key, value)).toBe(expected));
});

describe('an address of another host, or a text that may be no address, stays unchanged', () => {
  test.each([
    ['location', '/a'],
    ['location', 'a/b'],
    ['location', 'https://192.168.1.1:5000/'],
    ['location', 'http://192.168.1.1/'],
    ['location', 'http://192.168.1.1:50001/'],
    ['location', 'http://192.168.1.1:5000@evil.example/'],
    ['access-control-allow-origin', '*'],
    ['refresh', '30'],
    ['refresh', 'http://192.168.1.1:5000/'],
    ['link', '<http://192.168.1.1:5000/style.css>; rel=preload'],
  ])('%s: %s', (key, value) => expect(rewrite.responseValue(key, value)).toBe(value));
});

test('the default port is the same, written or not', () => {
  const plain = between(
    { scheme: 'https', authority: 'nas.example.com:443' },
    { scheme: 'http', authority: '[fd00::1]' },
  );
  expect(plain.requestValue('origin', 'https://nas.example.com')).toBe('http://[fd00::1]');
  expect(plain.responseValue('location', 'http://[FD00::1]:80/x')).toBe('https://nas.example.com:443/x');
  expect(plain.responseValue('location', 'http://[fd00::1]:443/x')).toBe('http://[fd00::1]:443/x');
});
