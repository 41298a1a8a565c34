import { expect, test } from 'vitest';
import { mappingUrl } from './mapping-url.ts';

const web = { kind: 'https', prefix: 'nas', customDomain: null, port: null, tlsPassthrough: false } as const;
const named = { ...web, suffix: 'example.com' };
const own = { ...named, prefix: null, customDomain: 'nas.example.net' };
const encrypted = { ...own, tlsPassthrough: true };
const tcp = { ...named, kind: 'tcp', prefix: null, port: 20_022 } as const;

test.each([
  ['http://localhost:8080', named, 'http://nas.example.com:8080'],
  ['http://localhost:8080', own, 'http://nas.example.net:8080'],
  ['http://example.com', own, 'http://nas.example.net'],
  ['https://example.com', own, 'https://nas.example.net'],
  ['https://example.com:8443', own, 'https://nas.example.net:8443'],
  ['http://example.com', encrypted, 'https://nas.example.net:9443'],
  ['https://example.com', encrypted, 'https://nas.example.net'],
  ['https://example.com:444', encrypted, 'https://nas.example.net:444'],
  ['https://example.com', tcp, 'tcp://example.com:20022'],
  ['http://localhost:8080', { ...tcp, kind: 'udp' } as const, 'udp://example.com:20022'],
])('with the console at %s, %j is reached at %s', (publicUrl, mapping, url) => {
  expect(mappingUrl({ publicUrl, tlsPort: 9443 }, mapping)).toBe(url);
});

test('the default port of https is not shown', () => {
  expect(mappingUrl({ publicUrl: 'http://example.com', tlsPort: 443 }, encrypted)).toBe('https://nas.example.net');
});
