import type { Field } from '../../codecs/http/fields.ts';

const CONNECTION_AUTH = /(?:^|,)\s*(?:ntlm|negotiate)(?:\s|,|$)/i;

/**
 * NTLM and Negotiate sign in a connection, not a request. A stream that has seen one of them must stay with its
 * visitor: another visitor's request on it would be answered as if the first one had asked.
 */
export function isConnectionBound(fields: readonly Field[], key: 'authorization' | 'www-authenticate'): boolean {
  for (const field of fields) if (field.key === key && CONNECTION_AUTH.test(field.value)) return true;
  return false;
}
