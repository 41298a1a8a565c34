import { createHash, timingSafeEqual } from 'node:crypto';

/** What frpc proves its token with. */
export function loginKey(token: string, timestamp: number): string {
  return createHash('md5').update(`${token}${timestamp}`).digest('hex');
}

/** NOTE: the key covers nothing but the token and the time. A client that has seen it can send it again, with another run id. */
export function isLoginKey(key: string, login: { token: string; timestamp: number }): boolean {
  const expected = Buffer.from(loginKey(login.token, login.timestamp));
  const given = Buffer.from(key);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
