import { isPrefetch } from '@tongtu/base';
import { fieldValue } from '../codecs/http/fields.ts';
import type { RequestHead } from '../codecs/http/request-head.ts';

/** Files that browsers fetch by themselves for a page, over plain http without Sec-Fetch fields. */
const PAGE_EXTRAS = /^\/(?:favicon|apple-touch-icon|robots|sitemap|manifest|browserconfig)[^/]*$/i;

/**
 * Whether a request is a client's own and not a page's subresource: those of the relay's own page must not be marked in
 * place of the program that the owner is about to start.
 */
export function mayBeMarked({ method, target, fields }: RequestHead): boolean {
  if (method === 'OPTIONS' && fieldValue(fields, 'origin') !== undefined) return false; // a CORS preflight of a page
  const mode = fieldValue(fields, 'sec-fetch-mode');
  if (mode !== undefined && mode !== 'navigate') return false;
  if (isPrefetch((name) => fieldValue(fields, name))) return false;
  return !PAGE_EXTRAS.test(target.split('?', 1)[0] ?? '');
}
