import type { SiteConfig } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { storeLastMethod, offeredMethods, firstMethod } from './sign-in-methods.ts';

afterEach(() => localStorage.clear());

const site = (sso_url: string | null, phone_login: boolean) => ({ sso_url, phone_login }) as SiteConfig; // all that is read

test('on a wide screen WeChat comes first, on a narrow one the phone', () => {
  expect(offeredMethods(site('/sso', true), false)).toEqual(['wechat', 'phone', 'password']);
  expect(offeredMethods(site('/sso', true), true)).toEqual(['phone', 'wechat', 'password']);
});

test('only methods of the installation are shown; the password always is', () => {
  expect(offeredMethods(site(null, true), false)).toEqual(['phone', 'password']);
  expect(offeredMethods(site('/sso', false), true)).toEqual(['wechat', 'password']);
  expect(offeredMethods(undefined, false)).toEqual(['password']);
});

test('the last method is remembered as long as it is offered', () => {
  expect(firstMethod(['wechat', 'phone', 'password'])).toBe('wechat');
  storeLastMethod('phone');
  expect(firstMethod(['wechat', 'phone', 'password'])).toBe('phone');
  expect(firstMethod(['wechat', 'password'])).toBe('wechat');
  expect(firstMethod([])).toBe('password');
});
