import { createHash, randomBytes } from 'node:crypto';

/** A fresh secret for one visit. */
export function createTicket(): string {
  return randomBytes(32).toString('base64url');
}

/** What the database keeps of a ticket. */
export function hashTicket(ticket: string): Buffer {
  return createHash('sha256').update(ticket).digest();
}
