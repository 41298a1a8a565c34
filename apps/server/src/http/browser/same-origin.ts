import { isPrefetch } from '@tongtu/base';
import { AppError } from '@tongtu/contract';
import type { FastifyRequest } from 'fastify';

/**
 * Refuses requests that a page of another origin made the browser send. Sibling hosts are other origins: they are mappings.
 * Browsers send `Sec-Fetch-Site` only to https and localhost. Without it Origin decides, then Referer. Without any of
 * them only reading is allowed: the client is no browser, or hides the referrer.
 */
export function checkSameOrigin(req: FastifyRequest): void {
  if (!isSameOrigin(req)) throw new AppError('request.cross-site');
}

/** Refuses the same requests, but accepts those without any of these headers, which may come from a program. */
export function checkNotOtherSite(req: FastifyRequest): void {
  if (!hasNoOriginHeaders(req)) checkSameOrigin(req);
}

/** Whether it is a top-level navigation, for example by a link. Requests without these headers count as one. */
export function isNavigation(req: FastifyRequest): boolean {
  const { origin, 'sec-fetch-mode': mode = 'navigate', 'sec-fetch-dest': dest = 'document' } = req.headers;
  return isRead(req) && origin === undefined && mode === 'navigate' && dest === 'document';
}

export function isSameOrigin(req: FastifyRequest): boolean {
  const site = req.headers['sec-fetch-site'];
  const { origin, referer } = req.headers;
  if (origin !== undefined && !isOwnHost(origin, req)) return false;
  // `none`: from the address bar or a bookmark. Chromium also sends it for prefetches that a page requests.
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && isRead(req));
  if (origin !== undefined) return true;
  return referer !== undefined ? isOwnHost(referer, req) : isRead(req);
}

/** Whether no header says where the request comes from. Over http a link with `noreferrer` can cause that. */
export function hasNoOriginHeaders(req: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, origin, referer } = req.headers;
  return (
    site === undefined && origin === undefined && referer === undefined && !isPrefetch((name) => req.headers[name])
  );
}

/** Whether it only reads, and is no prefetch. */
function isRead(req: FastifyRequest): boolean {
  return (req.method === 'GET' || req.method === 'HEAD') && !isPrefetch((name) => req.headers[name]);
}

function isOwnHost(address: string, req: FastifyRequest): boolean {
  // Compares host and port only: a proxy that terminates TLS may hide the scheme.
  return URL.canParse(address) && new URL(address).host === req.host.toLowerCase();
}
