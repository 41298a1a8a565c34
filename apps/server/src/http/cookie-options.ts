import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';

const COOKIE_DAYS = 30;

/** Cookies of the console: only for its own host, and never over plain http once the visitor came by https. */
export function cookieOptions(req: FastifyRequest): CookieSerializeOptions {
  return {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: req.protocol === 'https',
    maxAge: COOKIE_DAYS * 24 * 3600,
  };
}
