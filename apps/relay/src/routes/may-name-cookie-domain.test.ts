import { expect, test } from 'vitest';
import { createAgentKey, testDevice } from '../testing/start-test-relay.ts';
import { mayNameCookieDomain } from './may-name-cookie-domain.ts';

/** Whether the cookies of the first of a device's own domains may name a domain. */
function mayName(
  own: string[],
  domain: string,
  { isOwnDomain = true, consoleHost = 'tongtu.example', host = own[0] ?? '' } = {},
): boolean {
  const hosts = Object.fromEntries(own.map((host) => [host, 80]));
  const device = testDevice(createAgentKey(), hosts, { isOwnDomain });
  const [route] = device.routes;
  return route !== undefined && mayNameCookieDomain({ route, owner: { device } }, domain, { host, consoleHost });
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

test('cookies of a name that a wildcard covers may reach this name, and not its siblings', () => {
  const visited = { host: 'tv.user.net' };
  expect(mayName(['*.user.net'], 'tv.user.net', visited)).toBe(true);
  expect(mayName(['*.user.net'], 'user.net', visited)).toBe(false);
  expect(mayName(['*.user.net'], 'nas.user.net', visited)).toBe(false);
  expect(mayName(['*.user.net', 'user.net'], 'user.net', visited)).toBe(true);
});

test('no cookie may name the suffix or a parent domain of the console', () => {
  expect(mayName(['nas.tongtu.example'], 'nas.tongtu.example', { isOwnDomain: false })).toBe(false);
  expect(mayName(['nas.user.net', 'user.net'], 'user.net', { consoleHost: 'tongtu.user.net' })).toBe(false);
});
