import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '@tongtu/contract';
import type { FastifyRequest } from 'fastify';
import { cookieOptions } from './cookie-options.ts';
import type { HttpCall, Session } from './session.ts';

export const CSRF_COOKIE = 'csrftoken';
const CSRF_HEADER = 'x-csrftoken';
const SALT_BYTES = 12;

// A signed double submit, not a second server-side secret: the token is a salt and its HMAC over the session, so a
// neighbouring host that can plant cookies (every mapping's host can) cannot make one that fits somebody's session.

/** Gives the page a token for the session it has now, unless it holds one already. */
export function ensureCsrfToken(key: Buffer, session: Session | undefined, call: HttpCall): void {
  const held = call.req.cookies[CSRF_COOKIE];
  if (held === undefined || !isTokenOf(key, session?.idHash, held)) setCsrfToken(key, session?.idHash, call);
}

export function setCsrfToken(key: Buffer, idHash: Buffer | undefined, { req, reply }: HttpCall): void {
  const salt = randomBytes(SALT_BYTES).toString('base64url');
  const token = `${salt}.${sign(key, idHash, salt)}`;
  reply.setCookie(CSRF_COOKIE, token, { ...cookieOptions(req), httpOnly: false }); // the page's script reads it
}

/** Throws unless the header repeats the cookie and both belong to the session. */
export function checkCsrfToken(key: Buffer, session: Session | undefined, req: FastifyRequest): void {
  const sent = req.headers[CSRF_HEADER];
  const held = req.cookies[CSRF_COOKIE];
  const isValid = typeof sent === 'string' && sent === held && isTokenOf(key, session?.idHash, sent);
  if (!isValid) throw new AppError('session.csrf');
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
