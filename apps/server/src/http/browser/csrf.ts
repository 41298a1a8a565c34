import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '@tongtu/contract';
import type { FastifyRequest } from 'fastify';
import { clearCookie, readCookies, setCookie, type OwnCookie } from './cookies.ts';
import type { HttpCall, Session } from '../session.ts';

const CSRF_HEADER = 'x-csrftoken';
const SALT_BYTES = 12;
const csrfCookie: OwnCookie = { name: 'csrftoken', form: /^[\w-]{16}\.[\w-]{43}$/ };
const readByScript = { httpOnly: false };
/** A page with several cookies of this name sends all of them. */
const MAX_SENT = 8;

// Signed double-submit cookie (OWASP): the token is a salt and its HMAC over the session. The page of a mapping can set
// cookies for the console's host, but it cannot create a token that is valid for a session.

/** Sets a token for the current session unless the browser has a valid one. */
export function ensureCsrfToken(key: Buffer, session: Session | undefined, call: HttpCall): void {
  const held = readCookies(call.req, csrfCookie);
  if (!held.some((token) => isTokenOf(key, session?.idHash, token))) setCsrfToken(key, session?.idHash, call);
}

export function setCsrfToken(key: Buffer, idHash: Buffer | undefined, call: HttpCall): void {
  const salt = randomBytes(SALT_BYTES).toString('base64url');
  setCookie(call, csrfCookie.name, `${salt}.${sign(key, idHash, salt)}`, readByScript);
}

export function clearCsrfToken(call: HttpCall): void {
  clearCookie(call, csrfCookie.name, readByScript);
}

/**
 * Throws unless the header repeats the cookie and both belong to the session. Over http another tenant's page may have
 * added cookies of this name. The header is then a list, and one valid token is enough.
 */
export function checkCsrfToken(key: Buffer, session: Session | undefined, req: FastifyRequest): void {
  const header = req.headers[CSRF_HEADER];
  if (!isCsrfToken(key, session, req, typeof header === 'string' ? header : '')) throw new AppError('session.csrf');
}

/** Whether `text`, one token or a list, contains one that repeats the cookie and belongs to the session. */
export function isCsrfToken(key: Buffer, session: Session | undefined, req: FastifyRequest, text: string): boolean {
  const sent = text.split(',', MAX_SENT).map((token) => token.trim());
  const held = readCookies(req, csrfCookie);
  return sent.some((token) => held.includes(token) && isTokenOf(key, session?.idHash, token));
}

function isTokenOf(key: Buffer, idHash: Buffer | undefined, token: string): boolean {
  const [salt = '', signature = ''] = token.split('.');
  const expected = Buffer.from(sign(key, idHash, salt));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function sign(key: Buffer, idHash: Buffer | undefined, salt: string): string {
  const binding = idHash?.toString('base64url') ?? 'anonymous';
  return createHmac('sha256', key).update(`${binding}.${salt}`).digest('base64url');
}
