import { fieldValue, listElements } from '../http/fields.ts';
import type { ResponseHead } from '../http/response-head.ts';

/**
 * Whether a 101 changes the protocol in the way that every parser understands (RFC 9110 §7.8): it says so of its
 * connection, and names one that the visitor has asked for.
 */
export function isProperSwitch({ fields, options }: ResponseHead, asked: string | undefined): boolean {
  const answered = fieldValue(fields, 'upgrade')?.toLowerCase();
  if (asked === undefined || answered === undefined || !options.includes('upgrade')) return false;
  return listElements(asked).includes(answered);
}
