import { isPrefetch } from '@tongtu/base';
import { fieldValue } from '../codecs/http/fields.ts';
import type { RequestHead } from '../codecs/http/request-head.ts';

/** What browsers fetch by themselves for a page, over plain HTTP without saying so. */
const PAGE_EXTRAS = /^\/(?:favicon|apple-touch-icon|robots|sitemap|manifest|browserconfig)[^/]*$/i;

/**
 * Whether a request is a client's own and not something that a page brought along: our own gate page must not take the
 * place of the program that its owner is about to start.
 */
export function mayBeMarked({ method, target, fields }: RequestHead): boolean {
  if (method === 'OPTIONS' && fieldValue(fields, 'origin') !== undefined) return false; // a page asks before it asks
  const mode = fieldValue(fields, 'sec-fetch-mode');
  if (mode !== undefined && mode !== 'navigate') return false;
  if (isPrefetch((name) => fieldValue(fields, name))) return false;
  return !PAGE_EXTRAS.test(target.split('?', 1)[0] ?? '');
}
