import { createHmac, randomBytes } from 'node:crypto';

export function createSecret(): string {
  return randomBytes(16).toString('base64url');
}

/**
 * What the QR code of a state holds. The phone must not learn the state itself, which is the desktop page's alone;
 * made from it, so that asking again shows the same picture and nothing readable is kept.
 */
export function scanTokenOf(key: Buffer, state: string): string {
  return createHmac('sha256', key).update(`scan ${state}`).digest('hex').slice(0, 32);
}

/** Ties a scan to the phone that made it, as letters and digits: WeChat takes nothing else in its `state`. */
export function signPhone(key: Buffer, scanToken: string, phone: string): string {
  return createHmac('sha256', key).update(`phone ${scanToken} ${phone}`).digest('hex').slice(0, 32);
}
