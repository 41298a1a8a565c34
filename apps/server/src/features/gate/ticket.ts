import { randomBytes } from 'node:crypto';

/** A fresh secret for one visit. */
export function createTicket(): string {
  return randomBytes(32).toString('base64url');
}
