import { listElements, type Field } from '../http/fields.ts';

const NONE: readonly string[] = [];

/** Everything the Connection fields name, in lower case: `close`, `keep-alive`, `upgrade` and hop-by-hop field names. */
export function connectionOptions(fields: readonly Field[]): readonly string[] {
  let options: readonly string[] = NONE;
  for (const { key, value } of fields) {
    if (key === 'connection') options = options === NONE ? listElements(value) : [...options, ...listElements(value)];
    // An old name of the same field: a peer may close because of it, so nothing more may be sent.
    else if (key === 'proxy-connection' && listElements(value).includes('close')) options = [...options, 'close'];
  }
  return options;
}

/** Whether the sender of this head keeps the connection open. */
export function wantsKeepAlive(options: readonly string[], version: 10 | 11): boolean {
  if (options.includes('close')) return false;
  return version === 11 || options.includes('keep-alive');
}
