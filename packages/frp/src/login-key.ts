import { createHash, timingSafeEqual } from 'node:crypto';

/** What frpc proves its token with. */
export function loginKey(token: string, timestamp: number): string {
  return createHash('md5').update(`${token}${timestamp}`).digest('hex');
}

/**
 * NOTE: the time is not checked: a device may have no clock, and who could replay the key sees it inside TLS only. The
 * control stream cannot be read or written without the token itself.
 */
export function isLoginKey(key: string, login: { token: string; timestamp: number }): boolean {
  const expected = Buffer.from(loginKey(login.token, login.timestamp));
  const given = Buffer.from(key);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
