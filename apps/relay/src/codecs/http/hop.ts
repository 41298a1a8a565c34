import { randomBytes } from 'node:crypto';
import { listElements, type Field } from './fields.ts';

/**
 * CDN-Loop (RFC 8586) rather than Via: many web servers do not compress answers to requests with a Via.
 * Other values of the field are kept, because a loop may lead through more than one proxy.
 */
const FIELD = 'CDN-Loop';

/** The name of one start of a relay in the requests that it forwards. No secret. */
export function createHopId(): string {
  return `tongtu-${randomBytes(8).toString('hex')}`;
}

/** Appended after the visitor's own fields: several fields of one name are one list. */
export function hopLine(hopId: string): string {
  return `${FIELD}: ${hopId}\r\n`;
}

/** Whether the request has been through this relay before. */
export function hasPassed(fields: readonly Field[], hopId: string): boolean {
  for (const { key, value } of fields) {
    if (key === 'cdn-loop' && listElements(value).some((element) => element.split(';', 1)[0]?.trim() === hopId))
      return true;
  }
  return false;
}
