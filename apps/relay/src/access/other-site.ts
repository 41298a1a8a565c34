import { isPrefetch } from '@tongtu/base';
import { fieldValue } from '../codecs/http/fields.ts';
import type { RequestHead } from '../codecs/http/request-head.ts';
import { type PageOrigin, pageOriginOf } from './page-origin.ts';

/** What programs and extensions of a browser have for an origin (`app://`, `moz-extension://`), and no website can. */
const PROGRAM_ORIGIN = /^(?!https?:)[a-z][a-z0-9+.-]*:\/\//i;

/**
 * Whether a page that is none of the owner's made this request, as far as its browser says so: no cookie and no address
 * is to count for it then, see docs/adr/0017. A program that says nothing is none.
 */
export function isFromOtherSite(
  { method, fields }: Pick<RequestHead, 'method' | 'fields'>,
  isOwners: (page: PageOrigin) => boolean,
): boolean {
  const site = fieldValue(fields, 'sec-fetch-site');
  // Of a page at this very address, or typed in: that is how the browser sees it, whatever a proxy made of the Host.
  if (site === 'same-origin') return false;
  // What a page has fetched ahead says `none` or looks like a visit: there is only its Referer to go by.
  const isAhead = isPrefetch((name) => fieldValue(fields, name));
  if (site === 'none' && !isAhead) return false;
  const origin = fieldValue(fields, 'origin');
  if (origin !== undefined && origin !== 'null') return !PROGRAM_ORIGIN.test(origin) && !isOfOwner(origin, isOwners);
  if (origin === undefined && !isAhead && (site === undefined || isVisit(method, fields))) return false;
  // `null`, which every page can bring about, or a frame, picture or script, which has no Origin: whoever has left no
  // Referer either may be anybody. Over plain http, where browsers tell no site, that includes the forms of an own page
  // that hides its address (`no-referrer`); other forms name their origin.
  const referer = fieldValue(fields, 'referer');
  return referer === undefined || !isOfOwner(referer, isOwners);
}

/** Whether a request is for a frame in a page that does not say which one it is. */
export function isUnnamedFrame({ method, fields }: Pick<RequestHead, 'method' | 'fields'>): boolean {
  if (method !== 'GET' || fieldValue(fields, 'sec-fetch-mode') !== 'navigate') return false;
  const isFrame = ['iframe', 'frame'].includes(fieldValue(fields, 'sec-fetch-dest') ?? '');
  return isFrame && fieldValue(fields, 'origin') === undefined && fieldValue(fields, 'referer') === undefined;
}

/** A person's way to the page itself, by a link or a redirect: what is opened is in a window of its own. */
function isVisit(method: string, fields: RequestHead['fields']): boolean {
  const isSafe = method === 'GET' || method === 'HEAD';
  const isInWindow = fieldValue(fields, 'sec-fetch-dest') === 'document';
  return isSafe && isInWindow && fieldValue(fields, 'sec-fetch-mode') === 'navigate';
}

function isOfOwner(address: string, isOwners: (page: PageOrigin) => boolean): boolean {
  const page = pageOriginOf(address);
  return page !== undefined && isOwners(page);
}
