import { expect, test } from 'vitest';
import { type ForwardedFacts, ForwardedLines } from './forwarded.ts';

const factsOf = (scheme: 'http' | 'https', authority: string): ForwardedFacts => ({
  origin: { scheme, authority },
  visitorFields: 'send',
});
const linesOf = (address: string, scheme: 'http' | 'https', hostField: string) =>
  new ForwardedLines({ address, scheme }).linesFor(factsOf(scheme, hostField)).split('\r\n');

test('a service gets the visitor’s address, the requested host and the scheme', () => {
  expect(linesOf('203.0.113.7', 'https', 'NAS.example.com:8443')).toEqual([
    'Forwarded: for=203.0.113.7;proto=https',
    'X-Forwarded-For: 203.0.113.7',
    'X-Forwarded-Proto: https',
    'X-Forwarded-Host: NAS.example.com:8443',
    'X-Forwarded-Port: 8443',
    'X-Real-IP: 203.0.113.7',
    '',
  ]);
});

test('an IPv6 address is quoted where the grammar wants it, and a host that would be is left out', () => {
  const lines = linesOf('2001:db8::7', 'http', '[2001:db8::1]');
  expect(lines[0]).toBe('Forwarded: for="[2001:db8::7]";proto=http');
  expect(lines).toContain('X-Forwarded-For: 2001:db8::7');
  expect(lines).toContain('X-Forwarded-Port: 80');
});

test('another host on the same connection gets its own lines', () => {
  const lines = new ForwardedLines({ address: '203.0.113.7', scheme: 'https' });
  expect(lines.linesFor(factsOf('https', 'a.example'))).toContain(
    'X-Forwarded-Host: a.example\r\nX-Forwarded-Port: 443\r\n',
  );
  expect(lines.linesFor(factsOf('https', 'b.example:1'))).toContain(
    'X-Forwarded-Host: b.example:1\r\nX-Forwarded-Port: 1\r\n',
  );
  expect(lines.linesFor(factsOf('https', 'a.example'))).toContain('host=a.example;');
});

test('the scheme that is sent may be another than the visitor’s', () => {
  const lines = new ForwardedLines({ address: '203.0.113.7', scheme: 'https' });
  expect(lines.linesFor(factsOf('http', 'a.example'))).toContain(
    'X-Forwarded-Proto: http\r\nX-Forwarded-Host: a.example\r\nX-Forwarded-Port: 80\r\n',
  );
  expect(lines.linesFor(factsOf('https', 'a.example'))).toContain('proto=https');
});

test('the visitor’s address can be left out, and so can all of it', () => {
  const lines = new ForwardedLines({ address: '203.0.113.7', scheme: 'https' });
  const { origin } = factsOf('https', 'a.example');
  expect(lines.linesFor({ origin, visitorFields: 'omit_address' }).split('\r\n')).toEqual([
    'Forwarded: host=a.example;proto=https',
    'X-Forwarded-Proto: https',
    'X-Forwarded-Host: a.example',
    'X-Forwarded-Port: 443',
    '',
  ]);
  expect(lines.linesFor({ origin, visitorFields: 'omit' })).toBe('');
  expect(lines.linesFor({ origin, visitorFields: 'send' })).toContain('X-Real-IP: 203.0.113.7');
});
