import { hkdfSync } from 'node:crypto';

const TICKET_KEYS_BYTES = 48;
const DAY_MS = 86_400_000;

/**
 * The keys of TLS session tickets on this UTC day: every server process derives the same ones, and none has to be kept.
 * Node takes a single set, so a visitor who comes back after the change makes one full handshake.
 */
export function ticketKeysAt(sealingKey: Buffer, wallClockMs: number): string {
  const day = new Date(wallClockMs).toISOString().slice(0, 10);
  const keys = hkdfSync('sha256', sealingKey, day, 'tls session tickets', TICKET_KEYS_BYTES);
  return Buffer.from(keys).toString('base64url');
}

/** How long today's keys still hold. */
export function ticketKeysEndInMs(wallClockMs: number): number {
  return DAY_MS - (wallClockMs % DAY_MS);
}
