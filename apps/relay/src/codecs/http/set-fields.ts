import { type Field, isFieldName, isFieldValue } from './fields.ts';
import { isProxyClaim } from './proxy-claims.ts';

/** Fields that are set in a message, in place of those that it has by the same names. */
export type SetFields = ReadonlyArray<readonly [name: string, value: string]>;

/** What frames a message or belongs to one connection, and the Host. */
const NEVER_SET = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'max-forwards',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** The relay's own. */
const NEVER_SET_IN_REQUESTS = new Set(['cdn-loop']);
const NEVER_SET_IN_ANSWERS = new Set(['alt-svc']);

/** Whether a request may be sent on with this field set. */
export function maySetInRequest(name: string): boolean {
  const key = name.toLowerCase().replaceAll('_', '-');
  return isFieldName(name) && !NEVER_SET.has(key) && !NEVER_SET_IN_REQUESTS.has(key) && !isProxyClaim(key);
}

/** Whether an answer may be passed on with this field set. What a service's own field is kept from, this one is as well. */
export function maySetInAnswer(name: string): boolean {
  const key = name.toLowerCase();
  return isFieldName(name) && !NEVER_SET.has(key) && !NEVER_SET_IN_ANSWERS.has(key);
}

export function isSettableValue(value: string): boolean {
  return isFieldValue(value) && !/^[\t ]|[\t ]$/.test(value);
}

/** The message with the fields that are set. Its own `Connection` cannot name them, to have them removed again. */
export function withSetFields<Head extends { fields: Field[]; options: readonly string[] }>(
  head: Head,
  set: SetFields,
): Head {
  if (set.length === 0) return head;
  const added = set.map(([name, value]) => ({ name, key: name.toLowerCase(), value }));
  const keys = new Set(added.map(({ key }) => key));
  const fields = [...head.fields.filter(({ key }) => !keys.has(key)), ...added];
  return { ...head, fields, options: head.options.filter((option) => !keys.has(option)) };
}
