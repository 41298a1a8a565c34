import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '@tongtu/contract';
import type { FastifyRequest } from 'fastify';
import { clearCookie, readCookies, setCookie } from './cookies.ts';
import type { HttpCall, Session } from './session.ts';

const CSRF_HEADER = 'x-csrftoken';
const SALT_BYTES = 12;
const csrfCookie = { name: 'csrftoken', form: /^[\w-]{16}\.[\w-]{43}$/ };
const readByScript = { httpOnly: false };
/** A page that cannot tell which of several cookies is ours sends them all. */
const MAX_SENT = 8;

// A signed double submit, not a second server-side secret: the token is a salt and its HMAC over the session, so a
// neighbouring host that can plant cookies (every mapping's host can) cannot make one that fits somebody's session.

/** Gives the page a token for the session it has now, unless it holds one already. */
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
 * Throws unless the header repeats the cookie and both belong to the session. Over http neighbours can put cookies of
 * the name beside ours: then the header may be a list, and one that is ours is enough.
 */
export function checkCsrfToken(key: Buffer, session: Session | undefined, req: FastifyRequest): void {
  const header = req.headers[CSRF_HEADER];
  if (!isCsrfToken(key, session, req, typeof header === 'string' ? header : '')) throw new AppError('session.csrf');
}

/** Whether what was sent, a token or a list of them, repeats the cookie and belongs to the session. */
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
