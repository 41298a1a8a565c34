import { MAX_TRIAL_TEXT_LENGTH } from '@tongtu/contract';

/**
 * Django refuses a form without its cookie before anything reads it, and a wrong Origin before that
 * (django.middleware.csrf). What other frameworks refuse says nothing about the Origin.
 */
const TOKEN = /name\s*=\s*["']?csrfmiddlewaretoken\b/i;
const MAX_TAG_LENGTH = 2_000;
const POST = /\smethod\s*=\s*["']?post\b/i;
const ACTION = /\saction\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/i;
/** Only to resolve a path. */
const BASE = 'http://page.invalid';

/** Where the first form of a page leads that needs such a token; undefined: it has none, or it leads elsewhere. */
export function tokenFormTarget(body: Buffer, page: string): string | undefined {
  const text = body.toString('latin1');
  const before = text.slice(0, Math.max(text.search(TOKEN), 0));
  const from = before.toLowerCase().lastIndexOf('<form');
  const [tag = ''] = from === -1 ? [] : before.slice(from, from + MAX_TAG_LENGTH).split('>', 1);
  if (!POST.test(tag)) return undefined;
  const [, double, single, bare] = ACTION.exec(tag) ?? [];
  const action = (double ?? single ?? bare ?? '').replaceAll('&amp;', '&');
  if (!URL.canParse(action, BASE + page)) return undefined;
  const { origin, pathname, search } = new URL(action, BASE + page);
  const target = pathname + search;
  return origin === BASE && target.length <= MAX_TRIAL_TEXT_LENGTH ? target : undefined;
}
