import { z } from 'zod';
import { MAX_URL_LENGTH } from './limits.ts';
import { fieldMessage } from './messages/field-messages.ts';
import { hasHiddenCharacters } from './messages/hidden-characters.ts';

/**
 * The only schema for web addresses in requests. It accepts what every browser reads as it is written: with a host
 * right after the two slashes (https:///user@host is read as https://user@host), without a backslash (which is read as a
 * slash), a user name that could hide the host, or characters that do not show.
 */
export const WebUrl = z
  .url({ protocol: /^https?$/, error: fieldMessage('url.web'), abort: true })
  .max(MAX_URL_LENGTH)
  .refine((text) => /^https?:\/\/[^/]/i.test(text) && !/[\\\s]/.test(text), {
    error: fieldMessage('url.web'),
    abort: true,
  })
  .refine((text) => !hasLogin(text), { error: fieldMessage('url.login'), abort: true })
  .refine((text) => !hasHiddenCharacters(text), fieldMessage('text.hidden'))
  .describe('http or https, without a user name');

function hasLogin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.username !== '' || url.password !== '');
}
