import { randomBytes } from 'node:crypto';
import { listElements, type Field } from './fields.ts';

/**
 * CDN-Loop (RFC 8586), made for this, rather than Via: many a web server stops compressing for a request with a Via.
 * Whatever else stands in the field is kept, because the loop may lead through more than one proxy.
 */
const FIELD = 'CDN-Loop';

/** What one start of a relay calls itself in the requests that it passes on. No secret. */
export function createHopId(): string {
  return `tongtu-${randomBytes(8).toString('hex')}`;
}

/** Appended after the visitor's own fields: several of one name are read as one list. */
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
