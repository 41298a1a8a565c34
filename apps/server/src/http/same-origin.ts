import { isPrefetch } from '@tongtu/base';
import { AppError } from '@tongtu/contract';
import type { FastifyRequest } from 'fastify';

/**
 * Refuses what a page of another origin made the browser send. Sibling hosts count as others: they are mappings.
 * Browsers tell `Sec-Fetch-Site` only to https and localhost; without it Origin decides, then Referer. None of them:
 * reading is allowed (no browser, or one that hides the referrer), changing is not.
 */
export function checkSameOrigin(req: FastifyRequest): void {
  if (!isSameOrigin(req)) throw new AppError('request.cross-site');
}

/** Refuses the same, as far as the browser tells: who says nothing of where they come from may be a program. */
export function checkNotOtherSite(req: FastifyRequest): void {
  if (!isSilentOnOrigin(req)) checkSameOrigin(req);
}

/** Whether a person goes there, as by a link: no page can do that unseen. Browsers that tell nothing of it are believed. */
export function isVisit(req: FastifyRequest): boolean {
  const { origin, 'sec-fetch-mode': mode = 'navigate', 'sec-fetch-dest': dest = 'document' } = req.headers;
  return isAskedFor(req) && origin === undefined && mode === 'navigate' && dest === 'document';
}

export function isSameOrigin(req: FastifyRequest): boolean {
  const site = req.headers['sec-fetch-site'];
  const { origin, referer } = req.headers;
  if (origin !== undefined && !isOwn(origin, req)) return false;
  // `none`: typed into the address bar or opened from a bookmark. Chromium says so, too, of what a page has it fetch ahead.
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && isAskedFor(req));
  if (origin !== undefined) return true;
  return referer !== undefined ? isOwn(referer, req) : isAskedFor(req);
}

/** Whether the browser tells nothing of where the request comes from: over http a link may see to that. */
export function isSilentOnOrigin(req: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, origin, referer } = req.headers;
  return (
    site === undefined && origin === undefined && referer === undefined && !isPrefetch((name) => req.headers[name])
  );
}

/** Reading that somebody wants now. */
function isAskedFor(req: FastifyRequest): boolean {
  return (req.method === 'GET' || req.method === 'HEAD') && !isPrefetch((name) => req.headers[name]);
}

function isOwn(address: string, req: FastifyRequest): boolean {
  // Host and port only: behind another proxy that ends TLS the scheme we see may be the wrong one.
  return URL.canParse(address) && new URL(address).host === req.host.toLowerCase();
}
