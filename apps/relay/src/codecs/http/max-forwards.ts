import { fieldValue } from './fields.ts';
import type { RequestHead } from './request-head.ts';

/**
 * The Max-Forwards of a request (RFC 9110 §7.6.2); undefined without one. It counts for OPTIONS and TRACE only, and
 * TRACE is never forwarded to a service.
 */
export function forwardsLeft({ method, fields }: RequestHead): number | undefined {
  if (method !== 'OPTIONS') return undefined;
  const value = fieldValue(fields, 'max-forwards');
  return value !== undefined && /^[0-9]{1,9}$/.test(value) ? Number(value) : undefined;
}
