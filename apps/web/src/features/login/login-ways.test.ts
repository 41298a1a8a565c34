import type { SiteConfig } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { keepLastWay, offeredWays, readLastWay } from './login-ways.ts';

afterEach(() => localStorage.clear());

const site = (sso_url: string | null, phone_login: boolean) => ({ sso_url, phone_login }) as SiteConfig; // all that is read

test('on a wide screen WeChat comes first, on a narrow one the phone', () => {
  expect(offeredWays(site('/sso', true), false)).toEqual(['wechat', 'phone', 'password']);
  expect(offeredWays(site('/sso', true), true)).toEqual(['phone', 'wechat', 'password']);
});

test('what the installation does not offer is not shown; the password always is', () => {
  expect(offeredWays(site(null, true), false)).toEqual(['phone', 'password']);
  expect(offeredWays(site('/sso', false), true)).toEqual(['wechat', 'password']);
  expect(offeredWays(undefined, false)).toEqual(['password']);
});

test('the last way is remembered as long as it is offered', () => {
  expect(readLastWay(['wechat', 'password'])).toBeUndefined();
  keepLastWay('phone');
  expect(readLastWay(['wechat', 'phone', 'password'])).toBe('phone');
  expect(readLastWay(['wechat', 'password'])).toBeUndefined();
});
