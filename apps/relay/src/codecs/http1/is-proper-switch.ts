import { fieldValue, listElements } from '../http/fields.ts';
import type { ResponseHead } from '../http/response-head.ts';

/**
 * Whether a 101 switches the protocol as every parser understands it (RFC 9110 §7.8): Connection names Upgrade, and
 * Upgrade names a protocol that the visitor asked for.
 */
export function isProperSwitch({ fields, options }: ResponseHead, asked: string | undefined): boolean {
  const answered = fieldValue(fields, 'upgrade')?.toLowerCase();
  if (asked === undefined || answered === undefined || !options.includes('upgrade')) return false;
  return listElements(asked).includes(answered);
}
