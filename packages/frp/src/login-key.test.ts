import { expect, test } from 'vitest';
import { isLoginKey, loginKey } from './login-key.ts';

test('a login is proven by the token and its time, as frpc computes it', () => {
  // echo -n secret1700000000 | md5sum
  expect(loginKey('secret', 1_700_000_000)).toBe('e37729af62f40f134311cffbc230178e');
  expect(isLoginKey(loginKey('secret', 5), { token: 'secret', timestamp: 5 })).toBe(true);
  for (const key of ['', 'f2', loginKey('other', 5), loginKey('secret', 6), 'é'.repeat(32)])
    expect(isLoginKey(key, { token: 'secret', timestamp: 5 })).toBe(false);
});
