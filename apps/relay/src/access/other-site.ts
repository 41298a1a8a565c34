import { isPrefetch } from '@tongtu/base';
import { fieldValue } from '../codecs/http/fields.ts';
import type { RequestHead } from '../codecs/http/request-head.ts';
import { type PageOrigin, pageOriginOf } from './page-origin.ts';

/** Origins of programs and browser extensions (`app://`, `moz-extension://`), which no website can have. */
const PROGRAM_ORIGIN = /^(?!https?:)[a-z][a-z0-9+.-]*:\/\//i;

/**
 * Whether a page of another site made this request, as far as the browser says so. Then neither cookies nor addresses
 * count, see docs/adr/0017. A program without these fields is no page.
 */
export function isFromOtherSite(
  { method, fields }: Pick<RequestHead, 'method' | 'fields'>,
  isOwners: (page: PageOrigin) => boolean,
): boolean {
  const site = fieldValue(fields, 'sec-fetch-site');
  // From a page at the same origin, or typed in. The browser knows it, even if a proxy has changed the Host.
  if (site === 'same-origin') return false;
  // A prefetch says `none` or looks like a visit, so only its Referer counts.
  const isAhead = isPrefetch((name) => fieldValue(fields, name));
  if (site === 'none' && !isAhead) return false;
  const origin = fieldValue(fields, 'origin');
  if (origin !== undefined && origin !== 'null') return !PROGRAM_ORIGIN.test(origin) && !isOfOwner(origin, isOwners);
  if (origin === undefined && !isAhead && (site === undefined || isVisit(method, fields))) return false;
  // The Origin is `null`, which every page can cause, or absent, as for frames, images and scripts. Without a Referer the
  // page is unknown. Over plain http, where browsers send no Sec-Fetch-Site, this includes forms of an owner's page with
  // the policy `no-referrer`; other forms name their origin.
  const referer = fieldValue(fields, 'referer');
  return referer === undefined || !isOfOwner(referer, isOwners);
}

/**
 * Whether the page is at the requested name and another port: a proxy that does not send the port in Host makes the mapping's
 * own pages look like that.
 */
export function isPortLost({ fields, host, hostField }: Pick<RequestHead, 'fields' | 'host' | 'hostField'>): boolean {
  const address = fieldValue(fields, 'origin') ?? fieldValue(fields, 'referer') ?? '';
  const page = pageOriginOf(address);
  return page?.host === host && !hostField.endsWith(`:${page.port}`);
}

/** Whether a request is for a frame in a page that sends no Referer. */
export function isUnnamedFrame({ method, fields }: Pick<RequestHead, 'method' | 'fields'>): boolean {
  if (method !== 'GET' || fieldValue(fields, 'sec-fetch-mode') !== 'navigate') return false;
  const isFrame = ['iframe', 'frame'].includes(fieldValue(fields, 'sec-fetch-dest') ?? '');
  return isFrame && fieldValue(fields, 'origin') === undefined && fieldValue(fields, 'referer') === undefined;
}

/** A navigation to the page, by a link or a redirect, in a window and not in a frame. */
function isVisit(method: string, fields: RequestHead['fields']): boolean {
  const isSafe = method === 'GET' || method === 'HEAD';
  const isInWindow = fieldValue(fields, 'sec-fetch-dest') === 'document';
  return isSafe && isInWindow && fieldValue(fields, 'sec-fetch-mode') === 'navigate';
}

function isOfOwner(address: string, isOwners: (page: PageOrigin) => boolean): boolean {
  const page = pageOriginOf(address);
  return page !== undefined && isOwners(page);
}
