import { createHmac, randomBytes } from 'node:crypto';

export function createSecret(): string {
  return randomBytes(16).toString('base64url');
}

/**
 * The token in the QR code of a state. The phone must not learn the state, which only the desktop's browser has. The
 * token is derived from it, so that asking again gives the same QR code and the database keeps only hashes.
 */
export function scanTokenOf(key: Buffer, state: string): string {
  return createHmac('sha256', key).update(`scan ${state}`).digest('hex').slice(0, 32);
}

/** Binds a scan to a phone by an HMAC, in hex, because WeChat's `state` takes only letters and digits. */
export function signPhone(key: Buffer, scanToken: string, phone: string): string {
  return createHmac('sha256', key).update(`phone ${scanToken} ${phone}`).digest('hex').slice(0, 32);
}
