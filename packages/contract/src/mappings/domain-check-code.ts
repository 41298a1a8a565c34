import { createHmac } from 'node:crypto';

/**
 * What a relay answers to the server's domain check. Only a relay of this installation has the key. What this signs is
 * never what a visitor's cookie is signed with.
 */
export function domainCheckCode(gateKey: Buffer, host: string, nonce: string): string {
  return createHmac('sha256', gateKey).update(`tongtu domain check v1\n${host}\n${nonce}`).digest('base64url');
}
