import { hkdfSync } from 'node:crypto';

const TICKET_KEYS_BYTES = 48;
const DAY_MS = 86_400_000;

/**
 * The keys of TLS session tickets on this UTC day. Every server process derives the same keys, so none is stored. Node
 * uses a single set of keys, so a returning visitor makes one full handshake after the change.
 */
export function ticketKeysAt(sealingKey: Buffer, wallClockMs: number): string {
  const day = new Date(wallClockMs).toISOString().slice(0, 10);
  const keys = hkdfSync('sha256', sealingKey, day, 'tls session tickets', TICKET_KEYS_BYTES);
  return Buffer.from(keys).toString('base64url');
}

/** The time until today's keys change. */
export function ticketKeysEndInMs(wallClockMs: number): number {
  return DAY_MS - (wallClockMs % DAY_MS);
}
