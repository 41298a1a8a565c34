import { isPrefetch } from '@tongtu/base';
import { fieldValue } from '../../codecs/http/fields.ts';
import type { LocalResponse } from '../../codecs/http/local-response.ts';
import type { RequestHead } from '../../codecs/http/request-head.ts';
import { enterUrl } from '../../pages/page-answer.ts';

/** The console takes no longer address. */
const MAX_ADDRESS_LENGTH = 4096;

/**
 * Redirects a visitor without a proof to the console, which lets the owner and members in by their session. Undefined for
 * everything but a navigation that the browser calls one: a frame, a script, a form that is sent and a prefetch get the page.
 */
export function enterAtConsole(
  request: RequestHead,
  { scheme, consoleUrl }: { scheme: 'http' | 'https'; consoleUrl: string },
): LocalResponse | undefined {
  const address = `${scheme}://${request.hostField}${request.target}`;
  if (!isTopLevelVisit(request) || address.length > MAX_ADDRESS_LENGTH) return undefined;
  const fields = [
    // The browser adds the fragment of the visitor's address, because this one has none.
    ['Location', enterUrl(consoleUrl, address)],
    ['Cache-Control', 'no-store'],
    ['Referrer-Policy', 'no-referrer'],
  ] as const;
  return { status: 302, fields, body: Buffer.alloc(0) };
}

/** Browsers that send no Sec-Fetch fields do not say whether they load a frame or a window. They get the page. */
function isTopLevelVisit({ method, fields }: RequestHead): boolean {
  if (method !== 'GET' || isPrefetch((name) => fieldValue(fields, name))) return false;
  return fieldValue(fields, 'sec-fetch-mode') === 'navigate' && fieldValue(fields, 'sec-fetch-dest') === 'document';
}
