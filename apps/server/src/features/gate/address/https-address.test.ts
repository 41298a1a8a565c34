import { expect, test } from 'vitest';
import { type ConsoleEndpoint, type HttpsDeps, secureAddress } from './https-address.ts';
import { readVisitedUrl } from './visited-url.ts';

const certified = ['nas.example.com', 'nas.localhost', '192.168.1.9'];
const usual: HttpsDeps = {
  publicUrl: 'http://example.com:8080',
  redirectsToHttps: false,
  tlsPort: 8443,
  hasCertificate: async (host) => certified.includes(host),
};
const redirecting = { ...usual, redirectsToHttps: true };
const named = { ...usual, publicUrl: 'https://example.com' };
const http: ConsoleEndpoint = { scheme: 'http', port: 8080 };
const https: ConsoleEndpoint = { scheme: 'https', port: 9443 };

const rows: [what: string, facts: HttpsDeps, caller: ConsoleEndpoint, visited: string, goesTo: string][] = [
  ['https stays', usual, http, 'https://nas.example.com/x', 'https://nas.example.com/x'],
  [
    'https stays at its port',
    { ...redirecting, publicUrl: 'https://example.com' },
    https,
    'https://nas.example.com:8443/',
    'https://nas.example.com:8443/',
  ],
  [
    'http stays when the console was opened by http',
    usual,
    http,
    'http://nas.example.com:8080/x?y#z',
    'http://nas.example.com:8080/x?y#z',
  ],
  [
    'a console opened by http does not show that https is reachable',
    named,
    http,
    'http://nas.example.com/',
    'http://nas.example.com/',
  ],
  ['a name without certificate', usual, https, 'http://tv.example.com/', 'http://tv.example.com/'],
  [
    'a name with a certificate, console opened by https',
    usual,
    https,
    'http://nas.example.com:8080/x?y#z',
    'https://nas.example.com:9443/x?y#z',
  ],
  ['the port of publicUrl takes precedence', named, https, 'http://nas.example.com:8080/', 'https://nas.example.com/'],
  ['the port 80 is not kept', usual, https, 'http://nas.example.com/', 'https://nas.example.com:9443/'],
  ['http that is redirected', redirecting, http, 'http://nas.example.com:8080/x', 'https://nas.example.com:8443/x'],
  [
    'http that is redirected, without certificate',
    redirecting,
    http,
    'http://tv.example.com/',
    'https://tv.example.com:8443/',
  ],
  [
    'http that is redirected, console opened by https',
    redirecting,
    https,
    'http://tv.example.com/',
    'https://tv.example.com:9443/',
  ],
  [
    'http that is redirected to the port of publicUrl',
    { ...redirecting, publicUrl: 'https://example.com' },
    http,
    'http://tv.example.com:8080/',
    'https://tv.example.com/',
  ],
  ['this machine is not redirected', redirecting, https, 'http://nas.localhost:8080/', 'http://nas.localhost:8080/'],
  ['IP addresses are not redirected', redirecting, https, 'http://192.168.1.9:8080/', 'http://192.168.1.9:8080/'],
];

test.each(rows)('%s', async (_what, facts, caller, visited, goesTo) => {
  const read = readVisitedUrl(visited);
  if (!read) throw new Error('not an address');
  expect(await secureAddress(facts, read, caller)).toEqual(readVisitedUrl(goesTo));
});

test('no certificate is looked up for a browser that came by http', async () => {
  const hasCertificate = async () => expect.unreachable('looked up');
  const read = readVisitedUrl('http://nas.example.com/');
  if (!read) throw new Error('not an address');
  expect(await secureAddress({ ...usual, hasCertificate }, read, http)).toEqual(read);
});
