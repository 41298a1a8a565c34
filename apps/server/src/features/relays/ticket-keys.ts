import { hkdfSync } from 'node:crypto';

const TICKET_KEYS_BYTES = 48;
const DAY_MS = 86_400_000;

/**
 * The keys of TLS session tickets on this UTC day: every server process derives the same ones, and none has to be kept.
 * Node takes a single set, so a visitor who comes back after the change makes one full handshake.
 */
export function ticketKeysAt(sealingKey: Buffer, nowMs: number): string {
  const day = new Date(nowMs).toISOString().slice(0, 10);
  const keys = hkdfSync('sha256', sealingKey, day, 'tls session tickets', TICKET_KEYS_BYTES);
  return Buffer.from(keys).toString('base64url');
}

/** How long today's keys still hold. */
export function ticketKeysEndInMs(nowMs: number): number {
  return DAY_MS - (nowMs % DAY_MS);
}
