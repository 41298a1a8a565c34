import type { HttpCall } from '../../../http/session.ts';

/**
 * Sends a JSONP reply. `callback` must be validated before. The comment in front keeps the reply from starting with bytes
 * that the caller chose, which a browser could take for another file type.
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
