import type { HttpCall } from '../../../http/session.ts';

/**
 * Answers a JSONP call. `callback` must have been checked. The comment in front keeps a reply that is loaded as
 * something else (a Flash file once) from beginning with letters that the caller chose.
 */
export function sendScript(reply: HttpCall['reply'], callback: string, value: object): HttpCall['reply'] {
  const json = JSON.stringify(value).replaceAll(/[<>\u2028\u2029]/g, escapeUnicode);
  return reply
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .type('application/javascript; charset=utf-8')
    .send(`/**/${callback}(${json});`);
}

function escapeUnicode(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
