import { expect, test } from 'vitest';
import { createAgentKey, testDevice } from '../testing/start-test-relay.ts';
import { mayNameCookieDomain } from './may-name-cookie-domain.ts';

/** Whether the cookies of the first of a device's own domains may name a domain. */
function mayName(own: string[], domain: string, { isOwnDomain = true, consoleHost = 'tongtu.example' } = {}): boolean {
  const hosts = Object.fromEntries(own.map((host) => [host, 80]));
  const device = testDevice(createAgentKey(), hosts, { isOwnDomain });
  const [route] = device.routes;
  return route !== undefined && mayNameCookieDomain({ route, owner: { device } }, domain, consoleHost);
}

test('cookies of a custom domain may reach its subdomains', () => {
  expect(mayName(['nas.user.net'], 'nas.user.net')).toBe(true);
});

test('cookies may reach a parent domain only where the user owns it, too', () => {
  expect(mayName(['nas.user.net'], 'user.net')).toBe(false);
  expect(mayName(['nas.user.net', 'user.net'], 'user.net')).toBe(true);
  expect(mayName(['a.nas.user.net', 'user.net'], 'nas.user.net')).toBe(true);
});

test.each(['', 'net', 'other.net', 'as.user.net', 'a.nas.user.net', 'x.user.net'])(
  'cookies never reach %j, which is no parent of the host',
  (domain) => {
    expect(mayName(['nas.user.net', 'other.net', 'a.nas.user.net'], domain)).toBe(false);
  },
);

test('no cookie may name the suffix or a parent domain of the console', () => {
  expect(mayName(['nas.tongtu.example'], 'nas.tongtu.example', { isOwnDomain: false })).toBe(false);
  expect(mayName(['nas.user.net', 'user.net'], 'user.net', { consoleHost: 'tongtu.user.net' })).toBe(false);
});
