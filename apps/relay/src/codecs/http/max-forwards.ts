import { fieldValue } from './fields.ts';
import type { RequestHead } from './request-head.ts';

/**
 * How many more times a request may be passed on (RFC 9110 §7.6.2); undefined when it does not say. Only OPTIONS and
 * TRACE may say it, and no service is asked to TRACE.
 */
export function forwardsLeft({ method, fields }: RequestHead): number | undefined {
  if (method !== 'OPTIONS') return undefined;
  const value = fieldValue(fields, 'max-forwards');
  return value !== undefined && /^[0-9]{1,9}$/.test(value) ? Number(value) : undefined;
}
