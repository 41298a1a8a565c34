import { describe, expect, test } from 'vitest';
import { decideErrorport, decideHome, decideLogin, isOpenable, isWebUrl, ownPageUrl } from './guards.ts';

const visit = (pathname: string, search: string, isLoggedIn: boolean) => ({ pathname, search, isLoggedIn });

describe('the login page', () => {
  test('shows itself to anonymous clients, whatever the query says', () => {
    expect(decideLogin(visit('/login', '?url=http://a.localhost/', false))).toEqual({ type: 'show' });
  });

  test('prefers the url to an invalid domain', () => {
    const search = '?invalidDomain=b.localhost&url=http%3A%2F%2Fa.localhost%2Fx%3Fy%3D1';
    expect(decideLogin(visit('/login', search, true))).toEqual({ type: 'open', url: 'http://a.localhost/x?y=1' });
  });

  test('redirects to the error screen with the invalid domain when there is no url', () => {
    const decision = decideLogin(visit('/login', '?invalidDomain=b.localhost&url=', true));
    expect(decision).toEqual({ type: 'go', to: '/errorport?invalidDomain=b.localhost' });
  });

  test('redirects home when the query is empty', () => {
    expect(decideLogin(visit('/login', '', true))).toEqual({ type: 'go', to: '/' });
  });
});

describe('the index layout', () => {
  test('redirects anonymous clients to the login screen and keeps the whole query', () => {
    const decision = decideHome(visit('/devices', '?invalidDomain=b.localhost&aff=7', false));
    expect(decision).toEqual({ type: 'go', to: '/login?invalidDomain=b.localhost&aff=7' });
  });

  test('returns anonymous clients to the requested screen after they have logged in', () => {
    const to = '/login?aff=7&url=%23%2Fuser%2Finfo%3Faff%3D7';
    expect(decideHome(visit('/user/info', '?aff=7', false))).toEqual({ type: 'go', to });
    const opened = decideLogin(visit('/login', to.slice('/login'.length), true));
    expect(opened).toEqual({ type: 'open', url: '#/user/info?aff=7' });
    const own = ownPageUrl('#/user/info?aff=7', 'http://localhost:8080/#/login?x=1');
    expect(own).toBe('http://localhost:8080/#/user/info?aff=7');
  });

  test('names no url for the first screen', () => {
    expect(decideHome(visit('/devices', '', false))).toEqual({ type: 'go', to: '/login' });
    expect(decideHome(visit('/', '?aff=7', false))).toEqual({ type: 'go', to: '/login?aff=7' });
  });

  test('redirects to the error screen when a domain is invalid', () => {
    const decision = decideHome(visit('/', '?invalidDomain=b.localhost', true));
    expect(decision).toEqual({ type: 'go', to: '/errorport?invalidDomain=b.localhost' });
  });

  test('redirects the empty path to the devices and shows its other children', () => {
    expect(decideHome(visit('/', '', true))).toEqual({ type: 'go', to: '/devices' });
    expect(decideHome(visit('/user/info', '', true))).toEqual({ type: 'show' });
  });
});

test('the error screen requires a login and keeps the query', () => {
  const search = '?invalidDomain=b.localhost';
  expect(decideErrorport(visit('/errorport', search, false))).toEqual({ type: 'go', to: `/login${search}` });
  expect(decideErrorport(visit('/errorport', search, true))).toEqual({ type: 'show' });
});

describe('a url belongs to this console', () => {
  const page = 'http://localhost:8080/#/login';

  test.each(['http://localhost:8080/#/devices', '/#/devices', 'http://localhost:8080/?a=1#/'])(
    'when it is %s',
    (url) => {
      expect(ownPageUrl(url, page)).toBe(new URL(url, page).href);
    },
  );

  test.each([
    'http://evil.com/',
    '//evil.com/',
    'http://localhost:8080@evil.com/',
    'http://localhost:8081/',
    'https://localhost:8080/',
    'http://localhost:8080/custom/logout',
    'javascript:alert(1)',
    'http://',
  ])('but not when it is %s', (url) => {
    expect(ownPageUrl(url, page)).toBeUndefined();
  });
});

test.each([
  ['http://nas.localhost:8080/custom/logout', true],
  ['http://localhost:8080/#/devices', true],
  ['https://localhost/?a=b#/devices', true],
  ['http://localhost:8080/custom/logout', false],
  ['https://LOCALHOST:8443/custom/logout#/devices', false],
  ['http://localhost:8080/%2e/custom/logout', false],
  ['http://localhost:8080//custom/logout', false],
  ['javascript:alert(1)', false],
  ['/custom/logout', false],
])('whether a browser is redirected to %s without a question: %s', (url, isSent) => {
  expect(isOpenable(url, 'http://localhost:8080/#/login')).toBe(isSent);
});

test('only http and https addresses can be opened', () => {
  expect(['http://a/', 'https://a/', 'javascript:alert(1)', 'data:text/html,x', '/x'].map(isWebUrl)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
