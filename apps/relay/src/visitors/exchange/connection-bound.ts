import type { Field } from '../../codecs/http/fields.ts';

const CONNECTION_AUTH = /(?:^|,)\s*(?:ntlm|negotiate)(?:\s|,|$)/i;

/**
 * NTLM and Negotiate authenticate a connection, not a request. A stream that has carried one of them must stay with its
 * visitor: the service would answer another visitor's request on it as the first visitor's.
 */
export function isConnectionBound(fields: readonly Field[], key: 'authorization' | 'www-authenticate'): boolean {
  for (const field of fields) if (field.key === key && CONNECTION_AUTH.test(field.value)) return true;
  return false;
}
