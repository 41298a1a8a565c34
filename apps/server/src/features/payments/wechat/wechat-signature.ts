import { sign, verify, type KeyObject } from 'node:crypto';

/** WECHATPAY2-SHA256-RSA2048: SHA256withRSA over lines that each end with a line feed. */
export function signLines(key: KeyObject, lines: readonly string[]): string {
  return sign('sha256', Buffer.from(joined(lines)), key).toString('base64');
}

/** What WeChat Pay signs of a reply or notification. */
export type SignedMessage = { timestamp: string; nonce: string; body: Buffer; signature: string };

export function isMessageValid(key: KeyObject, { timestamp, nonce, body, signature }: SignedMessage): boolean {
  const signed = Buffer.concat([Buffer.from(joined([timestamp, nonce])), body, Buffer.from('\n')]);
  return verify('sha256', signed, key, Buffer.from(signature, 'base64'));
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
