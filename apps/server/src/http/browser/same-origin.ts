import { type BrowserRequest, isPrefetch, isSameOrigin as isSameOriginOf, pageSourceOf } from '@tongtu/base';
import { AppError } from '@tongtu/contract';
import type { FastifyRequest } from 'fastify';

/** Refuses requests that a page of another origin made the browser send, and changes that no page is named for. */
export function checkSameOrigin(req: FastifyRequest): void {
  if (!isSameOrigin(req)) throw new AppError('request.cross-site');
}

/** Refuses the same requests, but accepts those without any header about a page, which may come from a program. */
export function checkNotOtherSite(req: FastifyRequest): void {
  if (pageSourceOf(browserRequestOf(req)) === 'other') throw new AppError('request.cross-site');
}

/** Whether it is a top-level navigation, for example by a link. Requests without these headers count as one. */
export function isNavigation(req: FastifyRequest): boolean {
  const { origin, 'sec-fetch-mode': mode = 'navigate', 'sec-fetch-dest': dest = 'document' } = req.headers;
  const isRead = req.method === 'GET' || req.method === 'HEAD';
  return isRead && !isPrefetch(headerOf(req)) && origin === undefined && mode === 'navigate' && dest === 'document';
}

export function isSameOrigin(req: FastifyRequest): boolean {
  return isSameOriginOf(browserRequestOf(req));
}

/** Whether no header says where the request comes from. Over http a link with `noreferrer` can cause that. */
export function hasNoOriginHeaders(req: FastifyRequest): boolean {
  return pageSourceOf(browserRequestOf(req)) === 'unknown';
}

function browserRequestOf(req: FastifyRequest): BrowserRequest {
  const { method, host: hostField } = req;
  const scheme = req.protocol === 'https' ? 'https' : 'http';
  return { method, scheme, hostField, isUpgrade: false, headerOf: headerOf(req) };
}

function headerOf({ headers }: FastifyRequest): BrowserRequest['headerOf'] {
  return (name) => headers[name];
}
